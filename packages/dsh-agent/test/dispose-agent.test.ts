/** The end of an agent, and its log on the way: A17, A23, A24. */
import { memoryDriver, openSessionStore, type SessionStore } from '@deepseek-ai/dsh-session';
import { expect, it } from 'vitest';
import { drainMicrotasks } from '../src/testing/index.ts';
import { id, logOf, openWorld, relay, say, tool } from './agent-world.ts';

const never = new Promise<never>(() => {});

/** A store with some of its methods replaced. */
async function storeWith(methods: (real: SessionStore) => Partial<SessionStore>): Promise<SessionStore> {
  const real = await openSessionStore({ driver: memoryDriver() });
  const own = Object.entries(methods(real)).map(([name, value]) => [name, { value }] as const);
  return Object.create(real, Object.fromEntries(own)) as SessionStore;
}

it('stops, waits, disposes setup in reverse order, empties the inbox, leaves, tells it [A23][A24]', async () => {
  const { registry, sessions, told } = await openWorld();
  const order: string[] = [];
  const handle = await registry.create({
    id: id('s'),
    setup(_, scope) {
      scope.defer(() => void order.push('first'));
      scope.defer(async () => {
        await Promise.resolve();
        order.push('second');
      });
    },
  });
  registry.on('agent/disposed', () =>
    order.push(`disposed ${registry.list().length} ${sessions.get(id('s'))?.id}`),
  );
  handle.agent.inject(relay('i1'));
  const disposing = handle.dispose();
  expect(handle.agent.status).toBe('closing');
  expect(handle.dispose()).toBe(disposing);
  expect(handle[Symbol.asyncDispose]()).toBe(disposing);
  handle.agent.inject(relay('i2'));
  await disposing;
  expect(order).toEqual(['second', 'first', 'disposed 0 undefined']);
  expect(told.slice(-3)).toEqual(['inbox/discard i1 disposed', 'inbox/discard i2 disposed', 'disposed']);
  expect(handle.agent.session.sealed).toBe(true);
});

it('settles although a disposer throws, one never ends, and the flush fails [A23]', async () => {
  const sessions = await storeWith(() => ({ flush: () => Promise.reject(new Error('disk')) }));
  const { registry, clock, diagnostics } = await openWorld({ sessions, limits: { graceMs: 100 } });
  const handle = await registry.create({
    setup(_, scope) {
      scope.defer(() => never);
      scope.defer(() => {
        throw new Error('disposer');
      });
    },
  });
  const disposing = handle.dispose();
  await drainMicrotasks();
  clock.advance(100);
  await disposing;
  expect(diagnostics.map(({ code, message }) => `${code}: ${message.replace(handle.agent.id, 's')}`)).toEqual(
    [
      'disposal-failed: a disposer of setup of agent s failed: disposer',
      'disposal-late: a disposer of setup of agent s did not end in time and is left behind',
      'disposal-failed: the last flush of agent s failed: disk',
    ],
  );
  expect(registry.list()).toEqual([]);
});

it('bounds a store that never answers [A23]', async () => {
  const sessions = await storeWith(() => ({ flush: () => never, close: () => never }));
  const { registry, clock } = await openWorld({ sessions, limits: { graceMs: 100 } });
  const handle = await registry.create();
  const disposing = handle.dispose();
  for (let stage = 0; stage < 2; stage += 1) {
    await drainMicrotasks();
    clock.advance(100);
  }
  await disposing;
  expect(registry.get(handle.agent.id)).toBeUndefined();
});

it('leaves a deaf tool behind after its grace time, and nothing of it reaches the log [A23][A21]', async () => {
  let late!: () => void;
  const { registry, tools, clock } = await openWorld({ script: [{ calls: [{ tool: 'deaf' }] }] });
  tools.register(
    tool(
      'deaf',
      (_, context) =>
        new Promise((resolve) => {
          late = () => {
            context.progress({ a: 1 });
            resolve('late');
          };
        }),
    ),
  );
  const handle = await registry.create();
  handle.agent.followup(say('m1'));
  await drainMicrotasks();
  const disposing = handle.dispose();
  await drainMicrotasks();
  clock.advance(10_000);
  await disposing;
  const log = logOf(handle.agent.session);
  expect(log.slice(-2)).toEqual([expect.stringContaining('result deaf unknown'), 'end 0 aborted']);
  late();
  await drainMicrotasks();
  expect(logOf(handle.agent.session)).toEqual(log);
});

it('does not let a namesake in before the session was given back [A26]', async () => {
  let close!: () => void;
  const gate = new Promise<void>((resolve) => {
    close = resolve;
  });
  const sessions = await storeWith((real) => ({
    close: async (session) => {
      await gate;
      return real.close(session);
    },
  }));
  const { registry } = await openWorld({ sessions });
  const handle = await registry.create();
  const { agent } = handle;
  agent.followup(say('m1'));
  await agent.whenIdle();
  const disposing = handle.dispose();
  await drainMicrotasks();
  expect(registry.get(agent.id)).toBeUndefined();
  await expect(registry.resume({ id: agent.id })).rejects.toMatchObject({ code: 'AGENT_EXISTS' });
  close();
  await disposing;
  const next = await registry.resume({ id: agent.id });
  expect(next.agent).not.toBe(agent);
});

it('asks for a flush at the end of a turn, does not wait for it, and reports its failure [A17]', async () => {
  let flushes = 0;
  const sessions = await storeWith(() => ({
    flush: () => {
      flushes += 1;
      return flushes === 1 ? Promise.reject(new Error('disk')) : never;
    },
  }));
  const { registry, diagnostics } = await openWorld({ sessions });
  const { agent } = await registry.create();
  for (const text of ['m1', 'm2']) agent.followup(say(text));
  await agent.whenIdle();
  expect([flushes, diagnostics.map(({ code }) => code)]).toEqual([2, ['flush-failed']]);
});

it('has the log durable before a request and before a tool with checkpoint step [A17]', async () => {
  const flushed: number[] = [];
  const sessions = await storeWith((real) => ({
    flush: async (session) => {
      flushed.push(session.length);
      return real.flush(session);
    },
  }));
  const seen: unknown[] = [];
  const { registry, tools, model } = await openWorld({
    sessions,
    checkpoint: 'step',
    script: [{ calls: [{ tool: 't' }] }],
  });
  const { agent } = await registry.create();
  tools.register(
    tool('t', () => {
      seen.push([flushed.length, flushed.at(-1) === agent.session.length - 1]);
      return 'ran';
    }),
  );
  agent.followup(say('m1'));
  await agent.whenIdle();
  expect(seen).toEqual([[2, true]]);
  expect([model.requests.length, flushed.length]).toEqual([2, 4]);
});

it('waits under pressure before the next step, and parks when the wait fails before a claim [A11]', async () => {
  let fail!: (error: Error) => void;
  const sessions = await storeWith(() => ({
    flush: () =>
      new Promise((_, reject) => {
        fail = reject;
      }),
  }));
  const { registry, model } = await openWorld({ sessions });
  const { agent } = await registry.create({
    setup: ({ session }) => void Object.defineProperty(session, 'pressure', { value: true }),
  });
  agent.followup(say('m1'));
  await drainMicrotasks();
  expect([agent.inbox.list().length, model.requests.length]).toEqual([1, 0]);
  fail(new Error('disk full'));
  await agent.whenIdle();
  expect([agent.inbox.list().length, agent.inbox.parked]).toEqual([1, true]);
  expect(logOf(agent.session)).toEqual(['turn 0', 'end 0 error']);
});

it('tries no turn again and again when the log takes nothing any more [A11]', async () => {
  const { registry, sessions } = await openWorld();
  const { agent } = await registry.create();
  const errors: unknown[] = [];
  agent.on('agent/error', ({ error }) => errors.push((error as { code?: string }).code));
  await sessions.close(agent.session);
  agent.followup(say('m1'));
  await agent.whenIdle();
  expect([errors, agent.inbox.parked]).toEqual([['SESSION_CLOSED'], true]);
  // The turn never began.
  expect(agent.cancel('user')).toEqual({ kept: [], discarded: ['m1'] });
});

it('takes no other turn when the end of one cannot be logged, and says so [A11]', async () => {
  const { registry, model, told } = await openWorld();
  const { agent } = await registry.create();
  const append = agent.session.append.bind(agent.session);
  agent.session.append = (type, ...rest) => {
    if (type === 'turn/end') throw new Error('disk full');
    return append(type, ...rest);
  };
  const errors: unknown[] = [];
  agent.on('agent/error', ({ error }) => errors.push(error.message));
  for (const text of ['m1', 'm2']) agent.followup(say(text));
  await agent.whenIdle();
  expect([errors, agent.inbox.parked, model.requests.length]).toEqual([['disk full'], true, 1]);
  expect([agent.status, told.at(-1)]).toEqual(['idle', 'status idle']);
  expect(agent.cancel('user')).toEqual({ kept: [], discarded: ['m2'] });
});
