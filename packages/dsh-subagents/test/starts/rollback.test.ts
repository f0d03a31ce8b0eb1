import { describe, expect, it } from 'vitest';
import type { SessionDriver } from '@deepseek-ai/dsh-session';
import { createSubagents, forkProvider, spawnProvider } from '../../src/index.ts';
import { leftBehind } from '../rig/left-behind.ts';
import { id, openWorld, type World } from '../rig/world.ts';
import { faults, type Faults } from './faults.ts';

type Way = 'spawn' | 'fork';
type Fault = (world: World, caller: AbortController) => unknown;
interface Started {
  readonly world: World;
  readonly error: unknown;
  readonly start: () => Promise<unknown>;
}

const broken = new Error('broken here');
const most = 400;

async function rooted(wrapDriver?: (driver: SessionDriver) => SessionDriver) {
  const world = await openWorld(wrapDriver === undefined ? {} : { wrapDriver });
  const root = await world.root();
  root.agent.followup({ content: 'begin', source: { kind: 'user' } });
  await root.agent.whenIdle();
  await world.sessions.flush(root.agent.session);
  return { world, root };
}

/** Nothing of the child is anywhere, nobody was told half of it, and its id is free. */
async function expectUndone({ world, start }: Started): Promise<void> {
  expect(await leftBehind(world, 'root', 'kiwi')).toEqual([]);
  const told = world.log.filter((line) => /^(start|end) kiwi/.test(line));
  expect([[], ['start kiwi', 'end kiwi aborted']]).toContainEqual(told);
  expect(world.log.filter((line) => line.includes('subagent-settled'))).toEqual([]);
  await start();
  await world.runtime.whenQuiescent(id('root'));
  expect(world.log.filter((line) => line === 'end kiwi completed')).toHaveLength(1);
}

async function expectWhole({ world }: Started): Promise<void> {
  await world.runtime.whenQuiescent(id('root'));
  expect(world.log.filter((line) => line.startsWith('start kiwi'))).toHaveLength(1);
  expect(world.log.filter((line) => line === 'root accepts subagent-settled')).toHaveLength(1);
}

/** After `microtasks` of a start something happens. `undefined`: the start was over by then. */
async function disturbedAfter(microtasks: number, way: Way, fault: Fault): Promise<Started | undefined> {
  const { world, root } = await rooted();
  const caller = new AbortController();
  const start = (signal?: AbortSignal) =>
    world.start(root.agent, 'kiwi', { provider: way, ...(signal && { signal }) });
  const seen: { error?: unknown }[] = [];
  start(caller.signal).then(
    () => seen.push({}),
    (error: unknown) => seen.push({ error }),
  );
  for (let passed = 0; passed < microtasks && seen.length === 0; passed += 1) await Promise.resolve();
  if (seen.length > 0) return undefined;
  await fault(world, caller);
  await world.rest();
  return { world, error: seen[0]?.error, start: () => start() };
}

describe.each<Way>(['spawn', 'fork'])('a start by %s', (way) => {
  it('that is aborted at any of its microtasks leaves nothing, or is accepted whole [M5]', async () => {
    let points = 0;
    for (; points < most; points += 1) {
      const started = await disturbedAfter(points, way, (_world, caller) => {
        caller.abort(broken);
      });
      if (started === undefined) break;
      if (started.error === undefined) await expectWhole(started);
      else {
        expect(started.error).toBe(broken);
        await expectUndone(started);
      }
    }
    expect(points).toBeGreaterThan(10);
    expect(points).toBeLessThan(most);
  });

  it('that loses its process at any of its microtasks leaves no ghost, and its id is free [M5 S4]', async () => {
    let points = 0;
    for (; points < most; points += 1) {
      const started = await disturbedAfter(points, way, (world) => {
        world.crash();
      });
      if (started === undefined) break;
      const next = await openWorld({ medium: started.world.medium });
      const again = await next.agents.resume({ id: id('root') });
      expect(await leftBehind(next, 'root', 'kiwi')).toEqual([]);
      await next.start(again.agent, 'kiwi', { provider: way });
      await next.runtime.whenQuiescent(id('root'));
      expect(next.log).toContain('end kiwi completed');
    }
    expect(points).toBeGreaterThan(10);
    expect(points).toBeLessThan(most);
  });

  it('under which a drain begins at any of its microtasks leaves nothing, or a stored child [M5 M41]', async () => {
    let points = 0;
    for (; points < most; points += 1) {
      const started = await disturbedAfter(points, way, (world) => world.runtime.drain());
      if (started === undefined) break;
      const { world, error } = started;
      expect(world.agents.list().map((agent) => agent.id)).toEqual(['root']);
      if (error === undefined) continue;
      expect(error).toMatchObject({ code: 'DRAINING' });
      expect(await leftBehind(world, 'root', 'kiwi')).toEqual([]);
    }
    expect(points).toBeGreaterThan(10);
    expect(points).toBeLessThan(most);
  });

  it.each(['driver', 'ports'] as const)(
    'that fails at any call of its %s leaves nothing, or is accepted whole [M5]',
    async (where) => {
      const { total } = await withFaultAt(undefined, where, way);
      expect(total).toBeGreaterThan(0);
      for (let at = 0; at < total; at += 1) {
        const { started, plan } = await withFaultAt(at, where, way);
        plan.disarm();
        if (started.error === undefined) continue;
        await expectUndone(started);
      }
    },
  );
});

/** A start whose call number `at` throws, and how many calls there were. */
async function withFaultAt(at: number | undefined, where: 'driver' | 'ports', way: Way) {
  const plan = faults();
  const { world: whole, root } = await rooted((driver) =>
    where === 'driver'
      ? plan.over(driver, ['take', 'append', 'release', 'head', 'read', 'list', 'remove' as never])
      : driver,
  );
  const world = where === 'driver' ? whole : overPorts(whole, plan);
  const start = () =>
    world.runtime.startContinuable({
      provider: way,
      label: 'kiwi',
      childId: id('kiwi'),
      request: { prompt: 'x', parent: root.agent },
    });
  plan.arm((call) => {
    if (call === at) throw broken;
  });
  const error: unknown = await start().then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  const total = plan.count;
  if (at === undefined) expect(error).toBeUndefined();
  const started: Started = { world, error, start };
  return { started, plan, total };
}

/** The same program with a runtime whose ports can fail. */
function overPorts(world: World, plan: Faults): World {
  const { runtime } = createSubagents({
    agents: plan.over(world.agents, ['create', 'get']),
    sessions: plan.over(world.sessions, ['commit', 'discard', 'flush', 'get', 'head', 'list', 'read']),
    tools: world.tools,
    clock: world.clock,
  });
  runtime.registerProvider(spawnProvider());
  runtime.registerProvider(forkProvider());
  for (const [type, word] of [
    ['subagent/start', ''],
    ['subagent/end', 'outcome'],
  ] as const) {
    runtime.on(type, (event) => {
      world.log.push(
        word === ''
          ? `start ${event.childId}`
          : `end ${event.childId} ${'outcome' in event ? event.outcome : ''}`,
      );
    });
  }
  return { ...world, runtime };
}
