/** How fast the pieces of an answer come to those who listen: one on the agent, one on the registry. */
import type { Model } from '@deepseek-ai/dsh-agent';
import { openAgents } from '../agents.ts';
import { numberOf, type Case, type Figure, type Params, type Scenario } from '../figure.ts';
import { since } from '../store.ts';

const cases = (): readonly Case[] => [{ title: '200,000 pieces', params: { pieces: 200_000 } }];

function speaking(pieces: number): Model {
  const piece = { type: 'text', delta: 'pear ' } as const;
  return {
    id: 'speaking',
    async *stream() {
      for (let sent = 0; sent < pieces; sent += 1) yield piece;
      yield { type: 'finish', reason: 'stop' };
    },
  };
}

async function run(params: Params, folder: string): Promise<readonly Figure[]> {
  const pieces = numberOf(params, 'pieces');
  const program = await openAgents('memory', folder, speaking(pieces));
  let heard = 0;
  const hear = (): void => {
    heard += 1;
  };
  program.agents.on('agent/stream', hear);
  const { agent } = await program.agents.create();
  agent.on('agent/stream', hear);
  const answer = async (): Promise<number> => {
    heard = 0;
    const start = performance.now();
    agent.followup({ content: 'Tell of pears.', source: { kind: 'user' } });
    await agent.whenIdle();
    const seconds = since(start) / 1_000;
    if (heard !== 2 * (pieces + 1)) throw new Error(`${String(heard)} pieces were heard`);
    return pieces / seconds;
  };
  await answer();
  const value = await answer();
  await program[Symbol.asyncDispose]();
  return [{ name: 'pieces', unit: '/s', value, better: 'more' }];
}

export const streaming: Scenario = { name: 'stream', cases, run };
