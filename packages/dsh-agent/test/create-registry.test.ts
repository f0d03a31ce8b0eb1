/** Creation: A25, A29. */
import { memoryDriver, openSessionStore, type SessionStore } from '@deepseek-ai/dsh-session';
import { expect, it } from 'vitest';
import type { Agent } from '../src/agent.ts';
import { createAgentRegistry } from '../src/create-registry.ts';
import type { AgentCreateSpec } from '../src/registry.ts';
import { drainMicrotasks } from '../src/testing/index.ts';
import { createToolRegistry } from '../src/tool-registry.ts';
import { id, logOf, openWorld, say, type World } from './agent-world.ts';

const never = new Promise<never>(() => {});
const stored = async (sessions: SessionStore): Promise<readonly string[]> =>
  (await sessions.listPage()).items.map((entry) => entry.id);

it('publishes in one span: setup, admit, agent/created, and then the driver [A25]', async () => {
  const { registry, told } = await openWorld();
  const order: string[] = [];
  const find = (): string => (registry.get(id('s')) === undefined ? 'hidden' : 'found');
  registry.on('agent/created', () => order.push(`created ${find()}`));
  let inner: Agent | undefined;
  const handle = await registry.create({
    id: id('s'),
    async setup(agent) {
      inner = agent;
      agent.followup(say('m1'));
      order.push(`setup ${find()} ${agent.session.length}`);
      await Promise.resolve();
      agent.session.append('session/recovered', { damaged: 0 });
    },
    admit: ({ agent }) => order.push(`admit ${find()} ${agent.session.turns}`),
  });
  expect(order).toEqual(['setup hidden 0', 'admit found 0', 'created found']);
  expect(handle.agent).toBe(inner);
  await handle.agent.whenIdle();
  expect(told.indexOf('created')).toBeLessThan(told.indexOf('turn/start 0'));
});

it('runs a held agent not before start [A25]', async () => {
  const { registry } = await openWorld();
  const handle = await registry.create({ start: 'held' });
  const { agent } = handle;
  agent.followup(say('m1'));
  await drainMicrotasks();
  expect([agent.status, agent.session.turns]).toEqual(['running', 0]);
  handle.start();
  await agent.whenIdle();
  expect(agent.session.turns).toBe(1);
});

const failures: readonly (readonly [
  string,
  (abort: AbortController, world: World) => Partial<AgentCreateSpec>,
])[] = [
  [
    'setup throws',
    () => ({
      setup() {
        throw new Error('failed');
      },
    }),
  ],
  ['setup rejects', () => ({ setup: () => Promise.reject(new Error('failed')) })],
  [
    'admit throws',
    () => ({
      admit({ agent }) {
        agent.followup(say('m1'));
        throw new Error('failed');
      },
    }),
  ],
  [
    'the signal aborts during setup',
    (abort) => ({
      setup: () => {
        queueMicrotask(() => {
          abort.abort(new Error('failed'));
        });
        return never;
      },
    }),
  ],
  [
    'the signal aborts in the last instant of setup',
    (abort) => ({
      setup: () => {
        abort.abort(new Error('failed'));
      },
    }),
  ],
  [
    'the system prompt cannot be found',
    () => ({
      system: () => {
        throw new Error('failed');
      },
    }),
  ],
];
it.each(failures)('leaves nothing behind when %s [A25]', async (_, spec) => {
  for (const provisional of [false, true]) {
    const world = await openWorld();
    const { registry, sessions, told } = world;
    const abort = new AbortController();
    let left = 0;
    const more = spec(abort, world);
    const creating = registry.create({
      id: id('s'),
      provisional,
      signal: abort.signal,
      ...more,
      setup: (agent, scope) => {
        scope.defer(() => void (left += 1));
        return more.setup?.(agent, scope);
      },
    });
    await expect(creating).rejects.toThrow('failed');
    expect(left).toBe(more.system === undefined ? 1 : 0);
    expect([registry.get(id('s')), registry.list(), sessions.get(id('s')), await stored(sessions)]).toEqual([
      undefined,
      [],
      undefined,
      [],
    ]);
    expect(told.filter((line) => /created|turn/.test(line))).toEqual([]);
    const again = await registry.create({ id: id('s') });
    expect(registry.get(id('s'))).toBe(again.agent);
  }
});

it('discards with its event what admit accepted before it threw [A25]', async () => {
  const { registry, told, model } = await openWorld();
  const creating = registry.create({
    admit(handle) {
      handle.start();
      handle.agent.followup(say('m1'));
      throw new Error('failed');
    },
  });
  await expect(creating).rejects.toThrow('failed');
  expect(told.filter((line) => line.startsWith('inbox/'))).toEqual([
    'inbox/enqueue m1',
    'inbox/discard m1 disposed',
  ]);
  expect(model.requests).toHaveLength(0);
});

it('looks at the signal again in the span that publishes [A25]', async () => {
  const abort = new AbortController();
  const { registry } = await openWorld({
    onDiagnostic: () => {
      abort.abort(new Error('enough'));
    },
  });
  const creating = registry.create({ toolFilter: { deny: ['gone'] }, signal: abort.signal });
  await expect(creating).rejects.toThrow('enough');
  expect(registry.list()).toEqual([]);
});

it('heeds the signal no more once the handle is returned [A25]', async () => {
  const { registry } = await openWorld();
  const abort = new AbortController();
  const { agent } = await registry.create({ signal: abort.signal });
  abort.abort();
  agent.followup(say('m1'));
  await agent.whenIdle();
  expect(logOf(agent.session)).toContain('end 0 completed');
});

it('gives back a session that a deaf store opens too late [A25]', async () => {
  const driver = memoryDriver();
  const real = await openSessionStore({ driver });
  let open!: () => void;
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const sessions: SessionStore = Object.create(real, {
    create: {
      value: async (options: object) => {
        await gate;
        return real.create({ ...options, signal: undefined });
      },
    },
  }) as SessionStore;
  const { registry } = await openWorld({ sessions });
  const abort = new AbortController();
  const creating = registry.create({ id: id('s'), signal: abort.signal });
  abort.abort(new Error('enough'));
  await expect(creating).rejects.toThrow('enough');
  open();
  await drainMicrotasks();
  expect(real.get(id('s'))).toBeUndefined();
});

it('refuses routes without a model before anything is made [A25]', async () => {
  const { registry, sessions } = await openWorld();
  await expect(registry.create({ model: 'other' })).rejects.toMatchObject({ code: 'NO_MODEL' });
  expect(await stored(sessions)).toEqual([]);
});

it('freezes the effective options, and says which tools of a filter do not exist [A29]', async () => {
  const { registry, diagnostics } = await openWorld({
    defaults: { model: 'main', effort: 'high', system: 'Be brief.' },
  });
  const { agent } = await registry.create({ persona: 'You are kiwi.', toolFilter: { allow: ['gone'] } });
  expect(agent.options).toEqual({
    model: 'main',
    effort: 'high',
    system: 'Be brief.\n\nYou are kiwi.',
    toolFilter: { allow: ['gone'] },
  });
  expect(Object.isFrozen(agent.options)).toBe(true);
  expect(diagnostics).toMatchObject([
    { code: 'unknown-tool-in-filter', message: expect.stringContaining('gone') as string },
  ]);
});

it('refuses a store or tools of another version, naming both [A26]', async () => {
  const { sessions } = await openWorld();
  const base = { sessions, tools: createToolRegistry(), models: () => undefined };
  const old = { protocol: { name: 'dsh-session/store', version: 0 } } as unknown as SessionStore;
  expect(() => createAgentRegistry({ ...base, sessions: old })).toThrow(
    'registry not created: expected dsh-session/store 1, got dsh-session/store 0',
  );
  expect(() => createAgentRegistry({ ...base, tools: {} as never })).toThrow(
    expect.objectContaining({ code: 'INCOMPATIBLE' }),
  );
});
