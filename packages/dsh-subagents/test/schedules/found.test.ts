/** What the schedules found once, each in its shortest form. */
import { describe, expect, it } from 'vitest';
import { id, openWorld } from '../rig/world.ts';
import { chain, live } from '../rig/tree.ts';

describe('faults that schedules found', () => {
  it('tells who waits for quiescence when a root comes to rest after a drain [M41 M43]', async () => {
    const world = await openWorld({ scripts: { root: [{ text: 'Done.', hold: 'end' }] } });
    const root = await world.root();
    root.agent.followup({ content: 'Go.', source: { kind: 'user' } });
    await world.rest();
    await world.runtime.drain();
    const waiting = world.runtime.whenQuiescent(id('root'));
    world.model('root').release('end');
    await expect(waiting).resolves.toBeUndefined();
  });

  it('says in a code why a delivery ended with the child that it was for [M14 M32]', async () => {
    const { world } = await chain(['kiwi', 'fig']);
    const kiwi = live(world, 'kiwi');
    world.runtime.on('subagent/start', ({ childId }) => {
      if (childId === 'plum') world.medium.expire(id('plum'));
    });
    const begun = world.start(kiwi, 'plum', { provider: 'spawn' });
    await world.host.stopChildren(id('root'), [id('kiwi')]);
    await expect(begun).rejects.toMatchObject({ code: 'ACTIVATION_CLOSING' });
  });

  it('ends a one-shot whose task is taken away before its agent runs [M49]', async () => {
    const world = await openWorld();
    const root = await world.root();
    world.agents.on('agent/inbox/enqueue', ({ agent }) => {
      if (agent !== root.agent) agent.inbox.clear();
    });
    const run = await world.runtime.start('spawn', { label: 'kiwi', prompt: 'Look.', parent: root.agent });
    await expect(run.result).resolves.toMatchObject({ stopReason: 'aborted' });
    await run.dispose();
  });
});
