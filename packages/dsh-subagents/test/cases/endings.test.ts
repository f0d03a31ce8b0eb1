/** A child ends in each way that it can, under a parent that is idle. */
import { describe, expect, it } from 'vitest';
import type { ScriptedTurn } from '@deepseek-ai/dsh-agent/testing';
import { id, openWorld, text, type World } from '../rig/world.ts';

const held: readonly ScriptedTurn[] = [{ text: 'so far', hold: 'end' }];
const stop = (world: World): Promise<unknown> => world.host.stopChildren(id('root'), [id('kiwi')]);
const interrupt = (world: World): Promise<unknown> =>
  world.host.interrupt(id('kiwi'), { parentSessionId: id('root') });

const ways: readonly [
  way: string,
  outcome: string,
  script: readonly ScriptedTurn[],
  left: string,
  act?: (world: World) => Promise<unknown>,
][] = [
  ['is done', 'completed', ['the result'], 'Its final text:\n\nthe result'],
  ['fails', 'error', [{ error: { status: 400, message: 'no' } }], 'It left no final text.'],
  ['is cancelled', 'aborted', held, 'Its final text:\n\nso far', interrupt],
  [
    'meets its limit of tokens',
    'max-tokens',
    [{ text: 'half', finish: 'max-tokens' }],
    'Its final text:\n\nhalf',
  ],
  ['refuses', 'refused', [{ text: 'no', finish: 'refused' }], 'Its final text:\n\nno'],
  ['is stopped', 'aborted', held, 'Its final text:\n\nso far', stop],
];

async function endedChild(script: readonly ScriptedTurn[], act?: (world: World) => Promise<unknown>) {
  const world = await openWorld({ scripts: { kiwi: script, root: ['noted'] } });
  const root = await world.root();
  const notices: unknown[] = [];
  const texts: string[] = [];
  world.agents.on('agent/inbox/enqueue', ({ agent, message }) => {
    if (message.source.kind !== 'subagent-settled') return;
    notices.push([agent.id, message.source.outcome]);
    texts.push(...message.content.flatMap((block) => (block.type === 'text' ? block.text : [])));
  });
  await world.start(root.agent, 'kiwi');
  await world.rest();
  expect(root.agent.status).toBe('idle');
  await act?.(world);
  await world.runtime.whenQuiescent(id('root'));
  return { world, notices, texts };
}

describe('a child that', () => {
  it.each(ways)(
    '%s tells its idle parent once, as %s, and wakes it [M33 M34 M35]',
    async (_, outcome, script, left, act) => {
      const { world, notices, texts } = await endedChild(script, act);
      expect(notices).toEqual([['root', outcome]]);
      const first = `child kiwi, labelled "kiwi", has ended with outcome ${outcome}.`;
      expect(texts).toEqual([`Notice from the subagent runtime: ${first} ${left}`]);
      expect(world.log.filter((line) => line.startsWith('root reads'))).toEqual([
        'root reads subagent-settled 0.0',
      ]);
      expect(world.model('root').requests).toHaveLength(1);
    },
  );

  it('ends under a parent that is being drained wakes nobody [M35 M41]', async () => {
    const { world, notices } = await endedChild(held, (one) => one.runtime.drain());
    expect(notices).toEqual([['root', 'aborted']]);
    expect(world.model('root').requests).toHaveLength(0);
  });

  it('was interrupted while it was idle runs what comes next as ever [M40 A20]', async () => {
    const world = await openWorld({
      scripts: { kiwi: ['first', 'second'] },
      subagents: { keepWarmMs: 60_000 },
    });
    const root = await world.root();
    await world.start(root.agent, 'kiwi');
    await world.rest();
    expect(world.agents.get(id('kiwi'))?.status).toBe('idle');
    await interrupt(world);
    await world.runtime.sendMessage(root.agent, id('kiwi'), text('and plums?'));
    await world.rest();
    expect(world.model('kiwi').requests).toHaveLength(2);
    expect(world.agents.get(id('kiwi'))?.inbox.parked).toBe(false);
  });
});
