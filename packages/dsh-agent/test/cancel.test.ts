/** Cancel, park and stop: A20, A21, A22, A23. */
import { expect, it } from 'vitest';
import { AgentError } from '../src/errors.ts';
import type { ToolContext } from '../src/tool.ts';
import { drainMicrotasks } from '../src/testing/index.ts';
import { claims, logOf, openWorld, relay, say, tool } from './agent-world.ts';

it('discards what waits, each with its event, and aborts the turn [A20]', async () => {
  const { registry, told } = await openWorld({ script: [{ text: 'half', hold: 'never' }] });
  const { agent } = await registry.create();
  agent.followup(say('t1'));
  await drainMicrotasks();
  agent.followup(say('t2'));
  agent.inject(relay('i1'));
  expect(agent.cancel('budget')).toEqual({ turn: 0, kept: [], discarded: ['t2', 'i1'] });
  await agent.whenIdle();
  expect(told.filter((line) => line.startsWith('inbox/discard'))).toEqual([
    'inbox/discard t2 cancelled',
    'inbox/discard i1 cancelled',
  ]);
  expect(logOf(agent.session)).toEqual([
    'turn 0',
    'user t1',
    'assistant half (interrupted)',
    'end 0 aborted',
  ]);
  expect(agent.session.events().at(-1)?.data).toEqual({
    turn: 0,
    reason: { kind: 'aborted', cause: 'budget' },
  });
});

it('aborts nothing and arms nothing while idle [A20]', async () => {
  const { registry } = await openWorld();
  const { agent } = await registry.create();
  agent.inject(relay('i1'));
  expect(agent.cancel('user', { keepInbox: true })).toEqual({ kept: ['i1'], discarded: [] });
  expect(agent.inbox.parked).toBe(false);
  agent.steer(relay('s1'));
  await agent.whenIdle();
  expect(logOf(agent.session)).toEqual([
    'turn 0',
    'user i1',
    'user s1',
    'assistant (end of script)',
    'end 0 completed',
  ]);
});

it('arms nothing while idle, also where another has parked the inbox before [A20]', async () => {
  const { registry } = await openWorld({ script: [{ text: 'x', hold: 'never' }] });
  const { agent } = await registry.create();
  agent.followup(say('t1'));
  await drainMicrotasks();
  agent.cancel('parent', { keepInbox: true });
  await agent.whenIdle();
  expect(agent.inbox.parked).toBe(true);
  expect(agent.cancel('user', { keepInbox: true })).toEqual({ kept: [], discarded: [] });
  agent.steer(relay('notice'));
  await agent.whenIdle();
  expect(agent.session.turns).toBe(2);
});

it('parks what was accepted in the same span, without a turn [A20]', async () => {
  const { registry, told } = await openWorld();
  const { agent } = await registry.create();
  agent.followup(say('m1'));
  expect(agent.cancel('parent', { keepInbox: true })).toEqual({ kept: ['m1'], discarded: [] });
  await agent.whenIdle();
  expect([agent.session.turns, agent.status, agent.inbox.parked]).toEqual([0, 'idle', true]);
  agent.unpark();
  expect(agent.status).toBe('running');
  await agent.whenIdle();
  expect(told.filter((line) => line.startsWith('status'))).toEqual([
    'status running',
    'status idle',
    'status running',
    'status idle',
  ]);
  expect(logOf(agent.session)).toContain('user m1');
});

it('stays stopped by a person until a person writes [A20]', async () => {
  const { registry } = await openWorld({ script: [{ text: 'x', hold: 'never' }] });
  const { agent } = await registry.create();
  const seen = claims(agent);
  agent.followup(say('t1'));
  await drainMicrotasks();
  agent.cancel('user', { keepInbox: true });
  agent.cancel('parent', { keepInbox: true });
  agent.steer(relay('notice'));
  agent.inject(say('aside'));
  await agent.whenIdle();
  expect([agent.inbox.parked, agent.status]).toEqual([true, 'idle']);
  agent.steer(say('go on'));
  await agent.whenIdle();
  expect(seen).toEqual(['0.0 t1', '1.0 notice', '1.0 aside', '1.0 go on']);
});

it('keeps what is accepted by who hears of the abort [A20][A22]', async () => {
  const { registry, tools } = await openWorld({ script: [{ calls: [{ tool: 'wait' }] }, 'two'] });
  const { agent } = await registry.create();
  const seen = claims(agent);
  tools.register(
    tool('wait', (_, { signal }) => {
      signal.addEventListener('abort', () => agent.steer(relay('after')));
      return new Promise((resolve) => {
        signal.addEventListener('abort', () => {
          resolve('stopped');
        });
      });
    }),
  );
  agent.followup(say('t1'));
  await drainMicrotasks();
  agent.followup(say('t2'));
  expect(agent.cancel('drain').discarded).toEqual(['t2']);
  await agent.whenIdle();
  expect(seen).toEqual(['0.0 t1', '1.0 after']);
});

it('aborts nothing from who sees the end of a turn in the log [A20]', async () => {
  const { registry } = await openWorld();
  const { agent } = await registry.create();
  const receipts: unknown[] = [];
  agent.session.subscribe(({ type }) => {
    if (type === 'turn/end') receipts.push(agent.cancel('user', { keepInbox: true }));
  });
  agent.followup(say('t1'));
  await agent.whenIdle();
  expect([receipts, agent.inbox.parked]).toEqual([[{ kept: [], discarded: [] }], false]);
  expect(logOf(agent.session).at(-1)).toBe('end 0 completed');
});

it('gives running calls their grace time, the others none, and drops what comes late [A21]', async () => {
  const contexts: ToolContext[] = [];
  const ends: ((output: string) => void)[] = [];
  const world = await openWorld({
    script: [{ calls: [{ tool: 'quick' }, { tool: 'deaf' }, { tool: 'next' }] }],
    limits: { toolCalls: 2, graceMs: 1_000 },
  });
  const { registry, tools, clock, diagnostics } = world;
  const { agent } = await registry.create();
  for (const name of ['quick', 'deaf', 'next']) {
    tools.register(
      tool(name, (_, context) => {
        contexts.push(context);
        return new Promise((resolve) => ends.push(resolve));
      }),
    );
  }
  agent.followup(say('t1'));
  await drainMicrotasks();
  agent.cancel('user');
  expect(contexts.map(({ signal }) => signal.aborted)).toEqual([true, true]);
  ends[0]?.('in time');
  await drainMicrotasks();
  clock.advance(999);
  await drainMicrotasks();
  expect(agent.status).toBe('running');
  clock.advance(1);
  await agent.whenIdle();
  const log = logOf(agent.session);
  expect(log.slice(3)).toEqual([
    'start quick',
    'start deaf',
    'result quick ok: in time',
    expect.stringContaining('result deaf unknown: Outcome unknown'),
    expect.stringContaining('result next not-started: Not started'),
    'end 0 aborted',
  ]);
  contexts[1]?.progress({ late: true });
  ends[1]?.('too late');
  await drainMicrotasks();
  expect(logOf(agent.session)).toEqual(log);
  expect(diagnostics.map(({ code }) => code)).toEqual(['late-tool', 'late-tool']);
});

it('leaves a model that ignores its signal at once, and drops what it says then [A21]', async () => {
  const { promise, resolve } = deferred();
  const deaf = {
    id: 'deaf',
    async *stream() {
      yield { type: 'text', delta: 'a' } as const;
      await promise;
      yield { type: 'text', delta: 'late' } as const;
    },
  };
  const { registry, diagnostics } = await openWorld({ models: () => deaf });
  const { agent } = await registry.create();
  agent.followup(say('t1'));
  await drainMicrotasks();
  agent.cancel('user');
  await agent.whenIdle();
  resolve();
  await drainMicrotasks();
  expect(logOf(agent.session)).toEqual(['turn 0', 'user t1', 'assistant a (interrupted)', 'end 0 aborted']);
  expect(diagnostics.map(({ code }) => code)).toEqual(['late-model-event']);
});

it('a stopped agent takes no work while its tool uses its grace time [O9 A23]', async () => {
  const { registry, tools, clock, model, told } = await openWorld({
    script: [{ calls: [{ tool: 'deaf' }] }],
  });
  const handle = await registry.create();
  const { agent } = handle;
  tools.register(tool('deaf', () => new Promise(() => {})));
  agent.followup(say('t1'));
  await drainMicrotasks();
  agent.inject(relay('i0'));
  expect(handle.stop('drain')).toEqual({ turn: 0, pending: ['i0'] });
  expect(handle.stop('user')).toEqual({ pending: ['i0'] });
  expect(agent.status).toBe('closing');
  for (const accept of ['followup', 'steer'] as const) {
    expect(() => agent[accept](say('no'))).toThrow(expect.objectContaining({ code: 'AGENT_CLOSING' }));
  }
  agent.inject(relay('i1'));
  let rested = false;
  const waiting = agent.whenIdle().then(() => (rested = true));
  await drainMicrotasks();
  expect(rested).toBe(false);
  clock.advance(10_000);
  await waiting;
  expect(agent.status).toBe('closing');
  expect(model.requests).toHaveLength(1);
  expect(agent.session.events().at(-1)?.data).toMatchObject({ reason: { kind: 'aborted', cause: 'drain' } });
  expect(told.filter((line) => line.startsWith('status'))).toEqual(['status running', 'status closing']);
});

it('takes nothing once disposed, and stays gone [A1][A23]', async () => {
  const { registry } = await openWorld();
  const handle = await registry.create();
  const { agent } = handle;
  await handle.dispose();
  for (const accept of ['followup', 'steer', 'inject'] as const) {
    expect(() => agent[accept](say('no'))).toThrow(expect.objectContaining({ code: 'AGENT_DISPOSED' }));
  }
  handle.start();
  handle.stop('user');
  agent.unpark();
  expect(agent.cancel('user')).toEqual({ kept: [], discarded: [] });
  expect(agent.status).toBe('closing');
  expect(AgentError.is(new Error('x'))).toBe(false);
});

function deferred() {
  let resolve!: () => void;
  const promise = new Promise<void>((yes) => {
    resolve = yes;
  });
  return { promise, resolve };
}
