/** A loop of the builder's own that breaks what it promises: nothing hangs, and nothing else is lost. */
import { createAgentRegistry, createToolRegistry, type AgentRegistry } from '@deepseek-ai/dsh-agent';
import { scriptedModel, virtualClock } from '@deepseek-ai/dsh-agent/testing';
import { memoryDriver, openSessionStore, type Diagnostic } from '@deepseek-ai/dsh-session';
import { expect, it } from 'vitest';
import { createSubagents, spawnProvider } from '../../src/index.ts';
import type { AgentsPort, PortHandle } from '../../src/port.ts';
import { collect } from '../memory-store.ts';
import { heldDriver } from '../rig/held-driver.ts';
import { drainMicrotasks } from '@deepseek-ai/dsh-agent/testing';
import { id, openWorld, text } from '../rig/world.ts';

const boom = (): never => {
  throw new Error('boom');
};
const never = (): Promise<never> => new Promise(() => undefined);

/** Agents whose handles have members of the test's own. */
function faulty(
  agents: AgentRegistry,
  members: Partial<PortHandle>,
  create?: () => Promise<never>,
): AgentsPort {
  const wrap = (handle: PortHandle): PortHandle =>
    new Proxy(handle, { get: (target, key) => memberOf(target, key) });
  const memberOf = (target: PortHandle, key: string | symbol): unknown => {
    if (key in members) return members[key as keyof PortHandle];
    const member: unknown = Reflect.get(target, key, target);
    return typeof member === 'function' ? (member.bind(target) as unknown) : member;
  };
  return {
    get: (agent) => agents.get(agent),
    on: (type, listener) => agents.on(type, listener),
    beforeDispose: (hook) => agents.beforeDispose(hook),
    create:
      create ?? (({ admit, ...spec }) => agents.create({ ...spec, admit: (made) => admit?.(wrap(made)) })),
    resume: ({ admit, ...spec }) => agents.resume({ ...spec, admit: (made) => admit?.(wrap(made)) }),
  };
}

async function open(members: Partial<PortHandle>, create?: () => Promise<never>) {
  const clock = virtualClock();
  const diagnostics: Diagnostic[] = [];
  const onDiagnostic = (diagnostic: Diagnostic): void => void diagnostics.push(diagnostic);
  const sessions = await openSessionStore({ driver: memoryDriver(), clock, onDiagnostic });
  const held = scriptedModel(() => ({ text: 'x', hold: 'end' }), { clock });
  const agents = createAgentRegistry({
    sessions,
    tools: createToolRegistry(),
    clock,
    models: () => held,
    defaults: { model: 'm' },
  });
  const timeouts = { disposalMs: 1_000, flushMs: 100 };
  const options = { agents: faulty(agents, members, create), sessions, clock, onDiagnostic, timeouts };
  const { runtime } = createSubagents(options);
  runtime.registerProvider(spawnProvider());
  const ends: string[] = [];
  runtime.on('subagent/end', ({ childId, outcome }) => ends.push(`${childId} ${outcome}`));
  const { agent: root } = await agents.create({ id: id('root') });
  const start = (label: string, parent = root) =>
    runtime.startContinuable({
      provider: 'spawn',
      label,
      childId: id(label),
      request: { prompt: 'x', parent },
    });
  /** What `work` came to once `ms` have passed. */
  const after = async (ms: number, work: Promise<unknown>): Promise<unknown> => {
    const seen: unknown[] = [];
    work.then(
      () => seen.push('done'),
      (error: unknown) => seen.push(error),
    );
    await drainMicrotasks();
    for (let passed = 0; passed < ms && seen.length === 0; passed += 100) {
      clock.advance(100);
      await drainMicrotasks();
    }
    return seen.length === 0 ? 'hangs' : seen[0];
  };
  return { runtime, agents, root, start, after, ends, diagnostics };
}

it('a stop that throws keeps no other agent from being stopped and released, and is told [M29 M31]', async () => {
  const { runtime, agents, root, start, after, ends } = await open({ stop: boom });
  await start('a');
  await start('b', agents.get(id('a')));
  await start('c');
  const said = await after(3_000, runtime.drainContinuableDescendants([root]));
  expect(said).toMatchObject({
    code: 'ACTIVATION_TEARDOWN_FAILED',
    errors: expect.arrayContaining([new Error('boom')]) as unknown,
  });
  expect([...ends].sort()).toEqual(['a teardown-failed', 'b teardown-failed', 'c teardown-failed']);
  expect(await after(0, runtime.drain())).toBe('done');
});

it('a one-shot whose stop throws gives its result, and keeps nothing above it from being released [M29 M31 M41]', async () => {
  const { runtime, agents, root, start, after, ends } = await open({ stop: boom });
  await start('a');
  const a = agents.get(id('a'))!;
  const runs = [root, a].map((parent) => runtime.start('spawn', { label: 'x', prompt: 'x', parent }));
  const results = (await Promise.all(runs)).map(({ result }) => result);
  const said = await after(3_000, runtime.drainContinuableDescendants([root]));
  expect(said).toMatchObject({ code: 'ACTIVATION_TEARDOWN_FAILED' });
  expect(await after(0, Promise.all(results))).toBe('done');
  expect(ends).toContain('a teardown-failed');
  expect(await after(0, runtime.drain())).toBe('done');
});

it('an agent that cannot be left behind keeps no other from that [M31]', async () => {
  const left: string[] = [];
  const abandon = function (this: PortHandle): void {
    left.push(this.agent.id);
    boom();
  };
  const { runtime, root, start, after, ends, diagnostics } = await open({ dispose: never, abandon });
  await start('a');
  await start('b');
  expect(await after(2_000, runtime.drainContinuableDescendants([root]))).toMatchObject({
    code: 'ACTIVATION_TEARDOWN_FAILED',
  });
  expect(left.sort()).toEqual(['a', 'b']);
  expect(ends).toHaveLength(2);
  expect(diagnostics.filter(({ code }) => code === 'agent-not-abandoned')).toHaveLength(2);
});

it('an agent whose disposal fails is left behind, of either kind: nobody else would end it [M29]', async () => {
  const { runtime, agents, root, start, after, ends } = await open({
    dispose: () => Promise.reject(new Error('boom')),
  });
  await start('a');
  const run = await runtime.start('spawn', { label: 'x', prompt: 'x', parent: root });
  await expect(run.dispose()).rejects.toThrow('boom');
  expect(await after(0, runtime.drainContinuableDescendants([root]))).toMatchObject({
    code: 'ACTIVATION_TEARDOWN_FAILED',
  });
  expect(ends).toContain('a teardown-failed');
  expect(agents.list()).toEqual([root]);
});

it('a one-shot whose disposal never ends keeps neither who disposes it nor who starts it [M31]', async () => {
  const { runtime, agents, root, after } = await open({ dispose: never });
  const start = (parent = root) => runtime.start('spawn', { label: 'x', prompt: 'x', parent });
  const run = await start();
  expect(await after(1_000, run.dispose())).toMatchObject({
    code: 'ACTIVATION_TEARDOWN_FAILED',
  });
  runtime.on('subagent/start', () => {
    void runtime.drain().catch(() => undefined);
  });
  expect(await after(1_000, start())).toMatchObject({ code: 'DRAINING' });
  expect(agents.list()).toEqual([root]);
});

it('an agent that cannot begin has accepted its task all the same: it is released and its parent told [M3 M33]', async () => {
  const { agents, start, after, ends } = await open({ start: boom });
  expect(await start('a')).toMatchObject({ childId: 'a' });
  await after(500, never());
  expect(ends).toEqual(['a aborted']);
  expect(agents.get(id('a'))).toBeUndefined();
});

it('a creation that never ends holds up neither a drain nor who asked, of either kind [M31 M41]', async () => {
  const { runtime, root, start, after } = await open({}, never);
  const one = runtime
    .start('spawn', { label: 'x', prompt: 'x', parent: root })
    .catch((error: unknown) => error);
  const other = start('a').catch((error: unknown) => error);
  await drainMicrotasks();
  const said = await after(1_000, runtime.drainContinuableDescendants([root]));
  expect(said).toMatchObject({ code: 'ACTIVATION_TEARDOWN_FAILED' });
  expect([await one, await other]).toMatchObject([{ code: 'DRAINING' }, { code: 'DRAINING' }]);
  expect(await after(0, runtime.drain())).toBe('done');
});

it('a flush that never ends keeps a disposal no longer than its own deadline [M30 M31]', async () => {
  const driver = heldDriver();
  const world = await openWorld({
    wrapDriver: driver.wrap,
    limits: { graceMs: 10 },
    scripts: { kiwi: [{ text: 'x', hold: 'end' }] },
    subagents: { timeouts: { disposalMs: 200, flushMs: 10_000 } },
  });
  const root = await world.root();
  await world.start(root.agent, 'kiwi');
  await world.rest();
  driver.hold('append');
  let drained = false;
  void world.runtime
    .drainContinuableDescendants([root.agent])
    .finally(() => {
      drained = true;
    })
    .catch(() => undefined);
  for (let passed = 0; passed < 200; passed += 50) {
    await world.rest();
    world.clock.advance(50);
  }
  await world.rest();
  expect(drained).toBe(true);
  expect(world.log).toContain('end kiwi aborted');
});

it('a child whose start may still be undone writes to nobody [M5 M12]', async () => {
  const world = await openWorld();
  const root = await world.root();
  const left = new AbortController();
  const refusals: unknown[] = [];
  world.runtime.on('subagent/start', ({ childId }) => {
    const child = world.agents.get(childId)!;
    world.runtime
      .sendMessage(child, id('root'), text('ghost'))
      .catch((error: unknown) => refusals.push(error));
    left.abort();
  });
  await expect(world.start(root.agent, 'kiwi', { signal: left.signal })).rejects.toThrow();
  await world.rest();
  expect(refusals).toMatchObject([{ code: 'UNAUTHORIZED' }]);
  expect(world.log.filter((line) => line.startsWith('root'))).toEqual([]);
});

it('what is below a child that another process has taken ends aborted, with its end on the medium [M29 M32]', async () => {
  const held = [{ text: 'at work', hold: 'end' }];
  const world = await openWorld({ scripts: { a: held, b: held } });
  const root = await world.root();
  await world.start(root.agent, 'a');
  const a = world.agents.get(id('a'))!;
  await world.start(a, 'b');
  await world.rest();
  // As the store tells it.
  a.session.lost.dispatchEvent(new Event('abort'));
  await world.runtime.whenQuiescent(id('root'));
  expect(world.log.filter((line) => line.startsWith('end'))).toEqual(['end b aborted', 'end a fenced']);
  const [entry] = await collect(world.runtime.listChildren(id('a')));
  expect(entry).toMatchObject({ id: 'b', lastOutcome: 'aborted' });
});
