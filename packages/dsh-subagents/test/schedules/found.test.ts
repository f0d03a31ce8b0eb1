/** What the schedules found once, each in its shortest form. */
import { describe, expect, it } from 'vitest';
import { deferred } from '@dsh-internal/async';
import { heldDriver } from '../rig/held-driver.ts';
import { id, messageId, openWorld, text } from '../rig/world.ts';
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

  it('says in a code that a start ended with the child that asked for it [M5 M44]', async () => {
    const { world } = await chain(['kiwi', 'fig']);
    const begun = world.start(live(world, 'kiwi'), 'plum');
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

  it('lets a warm child go that was needed again while it settled [M25 M27]', async () => {
    const driver = heldDriver();
    const world = await openWorld({ wrapDriver: driver.wrap, subagents: { keepWarmMs: 1_000 } });
    const answer = deferred<never>();
    world.runtime.registerProvider({
      name: 'slow',
      capabilities: { outputSchema: false, depthLimit: false, toolFilter: false, persona: false },
      start: () => Promise.reject(new Error('no one-shots')),
      prepareContinuable: () => answer.promise,
    });
    const root = await world.root();
    const write = driver.hold('append');
    await world.start(root.agent, 'kiwi');
    await world.rest();
    world.clock.advance(1_000);
    const begun = world.start(live(world, 'kiwi'), 'plum', { provider: 'slow' });
    write();
    await world.rest();
    answer.reject(new Error('a planned failure'));
    await expect(begun).rejects.toMatchObject({ code: 'PROVIDER_FAILED' });
    await world.rest();
    world.clock.advance(1_000);
    await world.runtime.whenQuiescent(id('root'));
    expect(world.log).toContain('end kiwi completed');
  });

  it('does not tell of a start that a drain has closed before it was done [M5 M41]', async () => {
    const world = await openWorld();
    const root = await world.root();
    world.agents.on('agent/created', ({ agent }) => {
      if (agent.id === 'kiwi') void world.runtime.drain().catch(() => undefined);
    });
    await expect(world.start(root.agent, 'kiwi')).rejects.toMatchObject({ code: 'DRAINING' });
    expect(world.log).toEqual(['gone kiwi']);
  });

  it('keeps to an acceptance that a listener of it answers with a drain or an abort [M17 M28]', async () => {
    for (const end of ['drain', 'abort'] as const) {
      const { world, root } = await chain(['kiwi']);
      const caller = new AbortController();
      live(world, 'kiwi').on('agent/inbox/enqueue', () => {
        if (end === 'abort') caller.abort();
        else world.runtime.drain().catch(() => undefined);
      });
      const options = { messageId: messageId('m1'), signal: caller.signal };
      await expect(world.runtime.sendMessage(root.agent, id('kiwi'), text('Hear.'), options)).resolves.toBe(
        'm1',
      );
      await world.runtime.drain();
    }
  });

  it('reaches a stored child whose id a stranger tries to start meanwhile [M12 M14]', async () => {
    const world = await openWorld();
    const root = await world.root();
    const stranger = await world.root('stranger');
    await world.start(root.agent, 'kiwi');
    await world.runtime.whenQuiescent(id('root'));
    const begun = world.start(stranger.agent, 'kiwi');
    const sent = world.runtime.sendMessage(root.agent, id('kiwi'), text('Are you there?'));
    await expect(begun).rejects.toMatchObject({ code: 'DUPLICATE_CHILD' });
    await expect(sent).resolves.toBeTypeOf('string');
  });
});
