import { describe, expect, it } from 'vitest';
import { deferred } from '@dsh-internal/async';
import { spawnProvider, type SubagentProvider } from '../../src/index.ts';
import { heldDriver } from '../rig/held-driver.ts';
import { leftBehind } from '../rig/left-behind.ts';
import { id, messageId, openWorld, text } from '../rig/world.ts';

const slow = (prepare: NonNullable<SubagentProvider['prepareContinuable']>): SubagentProvider => ({
  ...spawnProvider(),
  name: 'slow',
  prepareContinuable: prepare,
});

describe('starting a child', () => {
  it('resolves at acceptance, before the turn and before anything is stored [M3]', async () => {
    const world = await openWorld({ scripts: { kiwi: [{ text: 'later', hold: 'end' }] } });
    const root = await world.root();
    const { childId, messageId: task } = await world.start(root.agent, 'kiwi', {
      messageId: messageId('m1'),
    });
    expect([childId, task]).toEqual(['kiwi', 'm1']);
    const child = world.agents.get(childId);
    expect(child?.status).toBe('running');
    expect(child?.session.durableLength).toBe(0);
    expect(world.log).toEqual(['start kiwi', 'kiwi accepts delegated-task']);
  });

  it('refuses before its first await what cannot be [M1 M6 M7]', async () => {
    const world = await openWorld();
    const root = await world.root();
    const stale = await world.root('stale');
    await stale.dispose();
    await world.root('taken');
    const attempt = (more: object) => world.start(root.agent, 'kiwi', more);
    await expect(attempt({ provider: 'none' })).rejects.toMatchObject({ code: 'NO_PROVIDER' });
    await expect(world.start(stale.agent, 'kiwi')).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    await expect(attempt({ childId: id('taken') })).rejects.toMatchObject({ code: 'DUPLICATE_CHILD' });
    await expect(attempt({ request: { prompt: [], parent: root.agent } })).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
    });
    await expect(
      attempt({ request: { prompt: 'x', parent: root.agent, maxDepth: 0 } }),
    ).rejects.toMatchObject({ code: 'DEPTH_EXCEEDED' });
    const whole = spawnProvider();
    world.runtime.registerProvider({
      name: 'once',
      capabilities: whole.capabilities,
      start: (request) => whole.start(request),
    });
    await expect(attempt({ provider: 'once' })).rejects.toMatchObject({ code: 'UNSUPPORTED_CAPABILITY' });
    expect(world.log.filter((line) => line.startsWith('start'))).toEqual([]);
  });

  it('refuses a live and a reserved namesake at once, and a stored one when it is found [M6]', async () => {
    const world = await openWorld();
    const root = await world.root();
    const first = world.start(root.agent, 'kiwi');
    await expect(world.start(root.agent, 'kiwi')).rejects.toMatchObject({ code: 'DUPLICATE_CHILD' });
    await first;
    await world.runtime.whenQuiescent(id('root'));
    await expect(world.start(root.agent, 'kiwi')).rejects.toMatchObject({ code: 'DUPLICATE_CHILD' });
    await world.runtime.sendMessage(root.agent, id('kiwi'), text('still there?'));
  });

  it('takes a copy: what the caller changes later does not leak in [M1]', async () => {
    const world = await openWorld();
    const root = await world.root();
    const prompt = text('Count pears.') as { type: 'text'; text: string }[];
    const started = world.start(root.agent, 'kiwi', { request: { prompt, parent: root.agent } });
    (prompt[0] as { text: string }).text = 'Count nothing.';
    await started;
    await world.runtime.whenQuiescent(id('root'));
    expect(world.model('kiwi').requests[0]?.messages[0]?.content[0]).toEqual(text('Count pears.')[0]);
  });

  it('keeps an idle managed parent from settling while a slow start is under way [M2 M26]', async () => {
    const world = await openWorld();
    const root = await world.root();
    const gate = deferred<object>();
    world.runtime.registerProvider(slow(() => gate.promise));
    await world.start(root.agent, 'parent');
    const parent = world.agents.get(id('parent'));
    if (parent === undefined) throw new Error('no parent');
    const started = world.start(parent, 'kiwi', { provider: 'slow' });
    await world.rest();
    expect(world.agents.get(id('parent'))).toBe(parent);
    gate.resolve({});
    await started;
    await world.runtime.whenQuiescent(id('root'));
    expect(world.log.filter((line) => line.startsWith('gone'))).toEqual(['gone kiwi', 'gone parent']);
  });

  it('records in the header whose child it is and how deep [M8]', async () => {
    const world = await openWorld();
    const root = await world.agents.create({ id: id('root'), cwd: '/srv' });
    await world.start(root.agent, 'parent');
    const parent = world.agents.get(id('parent'));
    if (parent === undefined) throw new Error('no parent');
    await world.start(parent, 'kiwi');
    expect(world.agents.get(id('kiwi'))?.session.header).toMatchObject({
      ...{
        parentSession: 'parent',
        rootSession: 'root',
        origin: 'subagent',
        delegationDepth: 2,
        cwd: '/srv',
      },
    });
  });

  it('starts ten siblings from one span [M9]', async () => {
    const world = await openWorld();
    const root = await world.root();
    const labels = Array.from({ length: 10 }, (_, index) => `kiwi-${String(index)}`);
    const started = await Promise.all(labels.map((label) => world.start(root.agent, label)));
    expect(started.map(({ childId }) => childId)).toEqual(labels);
    await world.runtime.whenQuiescent(id('root'));
    expect(world.log.filter((line) => line.startsWith('end'))).toHaveLength(10);
  });

  it('writes the descriptor before the first turn, with the rights that hold [M10 M11]', async () => {
    const world = await openWorld();
    const root = await world.agents.create({ id: id('root'), toolFilter: { allow: ['read', 'list'] } });
    const request = {
      prompt: 'x',
      parent: root.agent,
      toolFilter: { allow: ['read', 'write'] },
      persona: 'Be brief.',
      maxDepth: 2,
    };
    await world.start(root.agent, 'kiwi', { request });
    const opening = world.agents.get(id('kiwi'))?.session.opening;
    expect(opening).toMatchObject([
      {
        type: 'subagent/descriptor',
        data: {
          version: 1,
          value: {
            ...{ mode: 'continuable', provider: 'spawn', label: 'kiwi', model: 'scripted', inbox: 'process' },
            ...{ persona: 'Be brief.', toolFilter: { allow: ['read'] }, maxDepth: 2, system: 'default' },
          },
        },
      },
    ]);
  });
});

describe('a start that fails leaves nothing [M5]', () => {
  it('when the provider throws, names it and keeps the cause [M7]', async () => {
    const world = await openWorld();
    const root = await world.root();
    const cause = new Error('no seed today');
    world.runtime.registerProvider(slow(() => Promise.reject(cause)));
    await expect(world.start(root.agent, 'kiwi', { provider: 'slow' })).rejects.toMatchObject({
      code: 'PROVIDER_FAILED',
      cause,
    });
    expect(await leftBehind(world, 'root', 'kiwi')).toEqual([]);
    expect(world.log).toEqual([]);
    await world.start(root.agent, 'kiwi');
  });

  it('when the store cannot take the place', async () => {
    const held = heldDriver();
    const world = await openWorld({ wrapDriver: held.wrap });
    const root = await world.root();
    const mend = held.fail('take', new Error('medium gone'));
    await expect(world.start(root.agent, 'kiwi')).rejects.toThrow('medium gone');
    mend();
    expect(await leftBehind(world, 'root', 'kiwi')).toEqual([]);
    await world.start(root.agent, 'kiwi');
  });

  it.each(['provider', 'take'] as const)(
    'when its signal aborts while it waits for the %s',
    async (where) => {
      const held = heldDriver();
      const world = await openWorld({ wrapDriver: held.wrap });
      const root = await world.root();
      const gate = deferred<object>();
      world.runtime.registerProvider(slow(() => (where === 'provider' ? gate.promise : Promise.resolve({}))));
      const release = held.hold('take');
      const caller = new AbortController();
      const started = world.start(root.agent, 'kiwi', { provider: 'slow', signal: caller.signal });
      await world.rest();
      caller.abort(new Error('changed my mind'));
      release();
      gate.resolve({});
      await expect(started).rejects.toThrow('changed my mind');
      expect(await leftBehind(world, 'root', 'kiwi')).toEqual([]);
      expect(world.log).toEqual([]);
      await world.start(root.agent, 'kiwi');
    },
  );

  it('when a drain begins in a listener of subagent/start: never inserted, ended after it was told [O36 M4]', async () => {
    const world = await openWorld();
    const root = await world.root();
    let drained: Promise<void> | undefined;
    world.runtime.on('subagent/start', () => {
      drained = world.runtime.drain();
    });
    await expect(world.start(root.agent, 'kiwi')).rejects.toMatchObject({ code: 'DRAINING' });
    await drained;
    expect(world.log).toEqual(['start kiwi', 'gone kiwi', 'end kiwi aborted']);
    expect(await leftBehind(world, 'root', 'kiwi')).toEqual([]);
    expect(root.agent.inbox.list()).toEqual([]);
  });

  it('when the parent is disposed meanwhile: no child without a parent [M4]', async () => {
    const held = heldDriver();
    const world = await openWorld({ wrapDriver: held.wrap });
    const root = await world.root();
    const release = held.hold('take');
    const started = world.start(root.agent, 'kiwi');
    await root.dispose();
    release();
    await expect(started).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    expect(await leftBehind(world, 'root', 'kiwi')).toEqual([]);
  });

  it('the signal has no say after acceptance [M3]', async () => {
    const world = await openWorld();
    const root = await world.root();
    const caller = new AbortController();
    await world.start(root.agent, 'kiwi', { signal: caller.signal });
    caller.abort();
    await world.runtime.whenQuiescent(id('root'));
    expect(world.log).toContain('end kiwi completed');
  });
});
