/**
 * What a step costs beside the model and its request, by the length of the history: claim, head, log, tool call.
 * The model looks at nothing.
 */
import type { Agent, Model } from '@deepseek-ai/dsh-agent';
import { newMessageId } from '@deepseek-ai/dsh-session';
import { openAgents } from '../agents.ts';
import { numberOf, quantile, type Case, type Figure, type Params, type Scenario } from '../figure.ts';
import { say } from '../store.ts';

const cases = (long: boolean): readonly Case[] =>
  (long ? [40, 4_000, 40_000] : [40, 4_000]).map((messages) => ({
    title: `${String(messages)} messages`,
    params: { messages },
  }));

/** Asks for a call until it is told to end. */
function looking(asked: number[]): Model & { steps: number } {
  const model = {
    id: 'looking',
    steps: 0,
    async *stream() {
      asked.push(performance.now());
      model.steps -= 1;
      if (model.steps > 0) yield { type: 'tool-call', callId: 'c', name: 'look', input: '{}' } as const;
      yield { type: 'finish', reason: model.steps > 0 ? 'tool-calls' : 'stop' } as const;
    },
  };
  return model;
}

function fill({ session }: Agent, messages: number): void {
  for (let written = 0; written < messages; written += 2) {
    const turn = session.turns;
    session.append('turn/start', { turn });
    say(session, 'When are pears ripe?');
    session.append('assistant/message', {
      ...{ id: newMessageId(), role: 'assistant', finish: 'stop' },
      content: [{ type: 'text', text: 'In September.' }],
    });
    session.append('turn/end', { turn, reason: { kind: 'completed' } });
  }
}

async function run(params: Params, folder: string): Promise<readonly Figure[]> {
  const asked: number[] = [];
  const model = looking(asked);
  const program = await openAgents('memory', folder, model);
  const stepsOver = async (messages: number, steps: number): Promise<readonly number[]> => {
    const { agent } = await program.agents.create({
      setup: (made) => {
        fill(made, messages);
      },
    });
    asked.length = 0;
    model.steps = steps;
    agent.followup({ content: 'Look.', source: { kind: 'user' } });
    await agent.whenIdle();
    return asked.slice(1).map((time, index) => (time - (asked[index] ?? 0)) * 1_000);
  };
  // The same code is warm in each case.
  for (let times = 0; times < 20; times += 1) await stepsOver(40, 100);
  const found: number[] = [];
  for (let times = 0; times < 10; times += 1) {
    found.push(...(await stepsOver(numberOf(params, 'messages'), 100)));
  }
  await program[Symbol.asyncDispose]();
  return [{ name: 'step p50', unit: 'µs', value: quantile(found, 0.5), better: 'less' }];
}

export const stepping: Scenario = { name: 'step', cases, run };
