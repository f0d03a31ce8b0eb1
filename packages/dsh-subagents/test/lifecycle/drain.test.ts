import { describe, expect, it } from 'vitest';
import { deferred } from '@dsh-internal/async';
import { id, openWorld, text } from '../rig/world.ts';
import { chain, ends, live } from '../rig/tree.ts';

describe('drain', () => {
  it('stops everything at once and releases child-first; the Sessions stay [M29 M41 M43]', async () => {
    const { world } = await chain(['a', 'b', 'c']);
    const drained = world.runtime.drain();
    expect(['a', 'b', 'c'].map((name) => live(world, name).status)).toEqual([
      'closing',
      'closing',
      'closing',
    ]);
    await drained;
    expect(ends(world).map((line) => line.split(' ').slice(0, 2).join(' '))).toEqual([
      ...['gone c', 'end c', 'gone b', 'end b', 'gone a', 'end a'],
    ]);
    const stored: string[] = [];
    for await (const entry of world.sessions.list({ origin: 'subagent' })) stored.push(entry.id);
    expect(stored.sort()).toEqual(['a', 'b', 'c']);
  });

  it('is memoized, closes admission for good, and is what disposal does [M41]', async () => {
    const { world, root } = await chain(['a']);
    const drained = world.runtime.drain();
    expect(world.runtime.drain()).toBe(drained);
    expect(world.runtime[Symbol.asyncDispose]()).toBe(drained);
    await expect(world.start(root.agent, 'late')).rejects.toMatchObject({ code: 'DRAINING' });
    await expect(world.runtime.sendMessage(root.agent, id('a'), text('x'))).rejects.toMatchObject({
      code: 'DRAINING',
    });
    await drained;
    await expect(world.start(root.agent, 'late')).rejects.toMatchObject({ code: 'DRAINING' });
  });

  it('runs before the agents are disposed, in whatever order the host disposes [M41 A32]', async () => {
    const { world } = await chain(['a', 'b']);
    await world.agents[Symbol.asyncDispose]();
    expect(ends(world).filter((line) => line.startsWith('gone'))).toEqual(['gone b', 'gone a', 'gone root']);
  });

  it('tells a parent that is being drained too without waking it [M35]', async () => {
    const { world, root } = await chain(['a']);
    await world.runtime.drain();
    expect(world.log).toContain('root gets subagent-settled');
    expect(root.agent.status).toBe('idle');
  });

  it('goes strictly below exact live roots, and leaves the rest alone [M42]', async () => {
    const { world, root } = await chain(['a', 'b']);
    const other = await world.root('other');
    world.model('free').push({ text: 'done', hold: 'end' });
    await world.start(other.agent, 'free');
    const drained = world.runtime.drainContinuableDescendants([root.agent]);
    await expect(world.start(root.agent, 'late')).rejects.toMatchObject({ code: 'DRAINING' });
    await world.start(other.agent, 'fine');
    await drained;
    expect(world.agents.get(id('a'))).toBeUndefined();
    expect(live(world, 'free').status).toBe('running');
    expect(world.agents.get(id('root'))).toBe(root.agent);
  });

  it('opens for a namesake when the exact root has left, and ignores a stale one [M42]', async () => {
    const { world, root } = await chain(['a']);
    root.agent.session.append('turn/start', { turn: 0 });
    root.agent.session.append('turn/end', { turn: 0, reason: { kind: 'completed' } });
    await world.runtime.drainContinuableDescendants([root.agent]);
    await root.dispose();
    const again = await world.agents.resume({ id: id('root') });
    await world.runtime.drainContinuableDescendants([root.agent]);
    await world.start(again.agent, 'kiwi');
    await world.runtime.sendMessage(again.agent, id('a'), text('hello again'));
    expect(world.log).toContain('start a again');
  });

  it('finds a descendant after its root was disposed undrained and resumed, and reports that once [M42 M43]', async () => {
    const { world, root } = await chain(['a', 'b']);
    root.agent.session.append('turn/start', { turn: 0 });
    root.agent.session.append('turn/end', { turn: 0, reason: { kind: 'completed' } });
    await root.dispose();
    expect(world.diagnostics.map(({ code }) => code)).toEqual(['root-not-drained']);
    expect(live(world, 'b').status).toBe('running');
    const again = await world.agents.resume({ id: id('root') });
    await world.runtime.interrupt(id('b'), again.agent);
    await world.runtime.drainContinuableDescendants([again.agent]);
    expect(world.agents.list().map((agent) => agent.id)).toEqual(['root']);
  });

  it('converges with another drain and with a settlement on the same releases [M42]', async () => {
    const { world, root, release } = await chain(['a', 'b']);
    release('b');
    const drains = [
      world.runtime.drainContinuableDescendants([live(world, 'a')]),
      world.runtime.drainContinuableDescendants([root.agent]),
    ];
    await Promise.all([...drains, world.runtime.drain()]);
    expect(ends(world).filter((line) => line.startsWith('gone'))).toEqual(['gone b', 'gone a']);
    expect(world.log.filter((line) => line.startsWith('end'))).toHaveLength(2);
  });

  it('ends within its bound when a provider never answers, with its signal aborted [O31 M31 M41]', async () => {
    const world = await openWorld();
    const root = await world.root();
    const seen: AbortSignal[] = [];
    const never = new Promise<object>(() => undefined);
    world.runtime.registerProvider({
      ...world.runtime.getProvider('spawn')!,
      name: 'stuck',
      prepareContinuable: ({ signal }) => {
        seen.push(signal);
        return never;
      },
    });
    const started = world.start(root.agent, 'kiwi', { provider: 'stuck' }).catch((error: unknown) => error);
    await world.rest();
    await world.runtime.drain();
    expect(seen[0]?.aborted).toBe(true);
    expect(await started).toMatchObject({ code: 'DRAINING' });
  });

  it('refuses work for an agent whose tool still uses its grace time [O9 M41 A23]', async () => {
    const world = await openWorld({ scripts: { kiwi: [{ calls: [{ tool: 'slow' }] }, 'never said'] } });
    const root = await world.root();
    const tool = deferred<string>();
    world.tools.register({
      ...{ name: 'slow', description: 'Takes its time.' },
      inputSchema: { json: { type: 'object' }, parse: (value) => ({ value }) },
      execute: () => tool.promise,
    });
    await world.start(root.agent, 'kiwi');
    await world.rest();
    const child = live(world, 'kiwi');
    const drained = world.runtime.drain();
    expect(() => child.followup({ content: 'more', source: { kind: 'user' } })).toThrow(
      expect.objectContaining({ code: 'AGENT_CLOSING' }),
    );
    world.clock.advance(10_000);
    await drained;
    tool.resolve('late');
    await world.rest();
    expect(world.model('kiwi').requests).toHaveLength(1);
    const records: unknown[] = [];
    for await (const record of world.sessions.read(id('kiwi'))) records.push(record);
    expect(JSON.stringify(records)).not.toContain('late');
  });

  it('stops chosen children and what is below them, after a look at every id [M44]', async () => {
    const { world } = await chain(['a', 'b', 'c']);
    await expect(world.host.stopChildren(id('a'), [id('b'), id('c')])).rejects.toMatchObject({
      code: 'UNAUTHORIZED',
    });
    expect(live(world, 'c').status).toBe('running');
    await world.host.stopChildren(id('a'), [id('b'), id('b'), id('absent')]);
    expect(ends(world).filter((line) => line.startsWith('gone'))).toEqual(['gone c', 'gone b']);
    expect(live(world, 'a').status).toBe('running');
    expect(world.log).toContain('a accepts subagent-settled');
  });

  it('drains below a root and then disposes it [M43]', async () => {
    const { world, root } = await chain(['a']);
    await world.host.disposeRoot(root);
    expect(ends(world).filter((line) => line.startsWith('gone'))).toEqual(['gone a', 'gone root']);
    expect(world.diagnostics).toEqual([]);
  });
});
