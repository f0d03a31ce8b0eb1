/** Leaving an agent behind in one span: A23. */
import { memoryDriver, openSessionStore, type SessionStore } from '@deepseek-ai/dsh-session';
import { expect, it } from 'vitest';
import { drainMicrotasks } from '../src/testing/index.ts';
import { id, logOf, openWorld, relay, say, tool, type World } from './agent-world.ts';
import { openLife, waiting } from './durable-world.ts';

const never = new Promise<never>(() => {});

/** An agent in a turn whose tool heeds nothing until it is told to. */
async function withDeafTool(world: World, spec: Parameters<World['registry']['create']>[0] = {}) {
  let late!: () => void;
  world.tools.register(
    tool(
      'deaf',
      (_, context) =>
        new Promise((resolve, reject) => {
          late = () => {
            try {
              context.progress({ a: 1 });
              resolve('late');
            } catch (error) {
              reject(new Error('refused', { cause: error }));
            }
          };
        }),
    ),
  );
  const handle = await world.registry.create({ id: id('s'), ...spec });
  handle.agent.followup(say('m1'));
  await drainMicrotasks();
  return {
    handle,
    late: async () => {
      late();
      await drainMicrotasks();
      world.clock.advance(10_000);
      await drainMicrotasks();
    },
  };
}

const deafCall = { script: [{ calls: [{ tool: 'deaf' }] }] };

it('is gone in the span of the call, sealed and told, whatever its turn does [A23 S11]', async () => {
  const world = await openWorld(deafCall);
  const { handle, late } = await withDeafTool(world);
  const { agent } = handle;
  agent.followup(say('m2'));
  handle.abandon();
  expect(world.registry.get(id('s'))).toBeUndefined();
  expect(agent.session.sealed).toBe(true);
  expect(world.told.slice(-3)).toEqual(['status closing', 'inbox/discard m2 disposed', 'disposed']);
  expect(() => agent.inject(relay('i1'))).toThrow(expect.objectContaining({ code: 'AGENT_DISPOSED' }));
  const [told, log] = [[...world.told], logOf(agent.session)];
  await late();
  expect(world.told).toEqual(told);
  expect(logOf(agent.session)).toEqual(log);
  expect(world.diagnostics.map(({ code }) => code)).toContain('abandoned');
});

it('gives the place back in the background, and dispose resolves then [A23 A26]', async () => {
  const world = await openWorld(deafCall);
  const { handle } = await withDeafTool(world);
  handle.abandon();
  handle.abandon();
  const next = await world.registry.resume({ id: id('s') });
  expect(logOf(next.agent.session).at(-1)).toBe('end 0 interrupted');
  await handle.dispose();
  expect(world.registry.get(id('s'))).toBe(next.agent);
  expect(world.told.filter((line) => line === 'disposed')).toHaveLength(1);
});

it('takes the place of a disposal that hangs, which then settles [A23]', async () => {
  const world = await openWorld(deafCall);
  const { handle } = await withDeafTool(world);
  const disposing = handle.dispose();
  await drainMicrotasks();
  handle.abandon();
  await disposing;
  expect(world.told.at(-1)).toBe('disposed');
  expect(world.registry.list()).toEqual([]);
});

it('frees the id of a disposal whose store does not answer [A23 A26]', async () => {
  const real = await openSessionStore({ driver: memoryDriver() });
  const close = (session: Parameters<SessionStore['close']>[0]) => {
    real.close(session).catch(() => undefined);
    return never;
  };
  const sessions = Object.create(real, { close: { value: close } }) as SessionStore;
  const { registry, told } = await openWorld({ sessions });
  const handle = await registry.create({
    id: id('s'),
    setup: ({ session }) => void session.append('session/recovered', { damaged: 0 }),
  });
  handle.dispose().catch(() => undefined);
  await drainMicrotasks();
  await expect(registry.resume({ id: id('s') })).rejects.toMatchObject({ code: 'AGENT_EXISTS' });
  handle.abandon();
  expect(told.at(-1)).toBe('disposed');
  await registry.resume({ id: id('s') });
});

it('runs what setup left behind, and reports a disposer that does not end [A23]', async () => {
  const order: string[] = [];
  const { registry, clock, diagnostics } = await openWorld({ limits: { graceMs: 100 } });
  const handle = await registry.create({
    setup(_, scope) {
      scope.defer(() => void order.push('first'));
      scope.defer(() => never);
    },
  });
  handle.abandon();
  await drainMicrotasks();
  clock.advance(100);
  await drainMicrotasks();
  expect(order).toEqual(['first']);
  expect(diagnostics.map(({ code }) => code)).toEqual(['disposal-late']);
});

it('keeps what waits in a durable inbox [A23 A24 A31]', async () => {
  const first = await openLife(deafCall);
  const { handle } = await withDeafTool(first, { inbox: 'durable' });
  handle.agent.followup(say('m2'));
  handle.abandon();
  await handle.dispose();
  expect(first.told.filter((line) => line.includes('discard'))).toEqual([]);
  expect(waiting(await first.resume({ start: 'held' }))).toEqual(['m2']);
});
