import { describe, expect, it } from 'vitest';
import { deferred } from '@dsh-internal/async';
import { heldDriver } from '../rig/held-driver.ts';
import { leftBehind } from '../rig/left-behind.ts';
import { id, openWorld, text } from '../rig/world.ts';

describe('a message during a start', () => {
  it.each([
    ['is delivered to the child that it gave', true],
    ['is refused after its rollback', false],
  ])('of the same id waits, and %s [O14 M14]', async (_outcome, succeeds) => {
    const world = await openWorld();
    const root = await world.root();
    const prepared = deferred<object>();
    const spawn = world.runtime.getProvider('spawn')!;
    world.runtime.registerProvider({ ...spawn, name: 'slow', prepareContinuable: () => prepared.promise });
    const started = world.start(root.agent, 'kiwi', { provider: 'slow' }).catch((error: unknown) => error);
    const sent = world.runtime
      .sendMessage(root.agent, id('kiwi'), text('x'))
      .catch((error: unknown) => error);
    await world.rest();
    expect(world.log).toEqual([]);
    if (succeeds) prepared.resolve({});
    else prepared.reject(new Error('no'));
    await started;
    if (succeeds) expect(await sent).toBeTypeOf('string');
    else expect(await sent).toMatchObject({ code: 'UNAUTHORIZED' });
    await world.runtime.whenQuiescent(id('root'));
    expect(world.log.filter((line) => line.startsWith('kiwi accepts'))).toEqual(
      succeeds ? ['kiwi accepts delegated-task', 'kiwi accepts agent-message'] : [],
    );
  });

  it('a drain catches it after its creation and a kill its rollback: no ghost, and the id is free [O15 M5 S4]', async () => {
    const held = heldDriver();
    const world = await openWorld({ wrapDriver: held.wrap });
    const root = await world.root();
    root.agent.followup({ content: 'begin', source: { kind: 'user' } });
    await root.agent.whenIdle();
    held.hold('release');
    let drained: Promise<unknown> | undefined;
    world.runtime.on('subagent/start', () => {
      drained = world.runtime.drain();
    });
    // Never answered: its process dies before the rollback is done.
    world.start(root.agent, 'kiwi').catch(() => undefined);
    await world.rest();
    expect(drained).toBeDefined();
    await world.sessions.flush(root.agent.session);
    world.crash();
    const next = await openWorld({ medium: world.medium });
    const again = await next.agents.resume({ id: id('root') });
    expect(await leftBehind(next, 'root', 'kiwi')).toEqual([]);
    await next.start(again.agent, 'kiwi');
    await next.runtime.whenQuiescent(id('root'));
    expect(next.log).toContain('end kiwi completed');
  });

  it('two askers wait for one cold start; the first leaves, and the second still gets its delivery [O35 M22]', async () => {
    const held = heldDriver();
    const world = await openWorld({ wrapDriver: held.wrap });
    const root = await world.root();
    await world.start(root.agent, 'kiwi');
    await world.runtime.whenQuiescent(id('root'));
    const release = held.hold('take');
    const caller = new AbortController();
    const { signal } = caller;
    const first = world.runtime.sendMessage(root.agent, id('kiwi'), text('first'), { signal });
    const lost = first.catch((error: unknown) => error);
    const second = world.host.prompt(id('kiwi'), { parentSessionId: id('root'), content: 'second' });
    await world.rest();
    caller.abort(new Error('left'));
    expect(await lost).toMatchObject({ message: 'left' });
    release();
    await second;
    await world.runtime.whenQuiescent(id('root'));
    expect(world.log.filter((line) => line.startsWith('kiwi reads'))).toEqual([
      'kiwi reads delegated-task 0.0',
      'kiwi reads user 1.0',
    ]);
  });
});
