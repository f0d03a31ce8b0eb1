/** How long a live agent takes to accept a message, while it waits for its model. */
import type { Model } from '@deepseek-ai/dsh-agent';
import { openAgents } from '../agents.ts';
import { quantile, textOf, type Case, type Figure, type Params, type Scenario } from '../figure.ts';
import { since } from '../store.ts';

const cases = (): readonly Case[] =>
  (['process', 'durable'] as const).map((inbox) => ({ title: `${inbox} inbox`, params: { inbox } }));

/** Says nothing before the turn is aborted. */
const silent: Model = {
  id: 'silent',
  async *stream(_request, { signal }) {
    await new Promise((resolve) => {
      signal.addEventListener('abort', resolve);
    });
    yield { type: 'finish', reason: 'stop' };
  },
};

async function run(params: Params, folder: string): Promise<readonly Figure[]> {
  const program = await openAgents('file', folder, silent);
  const inbox = textOf(params, 'inbox') === 'durable' ? 'durable' : 'process';
  const { agent } = await program.agents.create({ inbox });
  agent.followup({ content: 'Wait.', source: { kind: 'user' } });
  const times: number[] = [];
  for (let round = 0; round < 40; round += 1) {
    for (let message = 0; message < 100; message += 1) {
      const start = performance.now();
      agent.steer({ content: 'And plums?', source: { kind: 'user' } });
      times.push(since(start));
    }
    agent.inbox.clear();
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
  }
  await program[Symbol.asyncDispose]();
  const warm = times.slice(1_000);
  return ([0.5, 0.99] as const).map((share) => ({
    ...{ name: `acceptance p${String(share * 100)}`, unit: 'ms', better: 'less' },
    value: quantile(warm, share),
  }));
}

export const accepting: Scenario = { name: 'accept', cases, run };
