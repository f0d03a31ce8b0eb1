/** With `checkpoint: 'step'` nothing has an effect that the log does not know of: A17. */
import { memoryDriver, openSessionStore, type SessionStore } from '@deepseek-ai/dsh-session';
import { expect, it } from 'vitest';
import { drainMicrotasks } from '../src/testing/index.ts';
import { logOf, openWorld, say, tool } from './agent-world.ts';

/** A store whose flush with that number, counted from one, waits to be let go or to fail. */
async function heldFlush(number: number) {
  const real = await openSessionStore({ driver: memoryDriver() });
  let settle!: (error?: Error) => void;
  const gate = new Promise<void>((resolve, reject) => {
    settle = (error) => {
      if (error === undefined) resolve();
      else reject(error);
    };
  });
  let asked = 0;
  const flush: SessionStore['flush'] = async (session, wait) => {
    asked += 1;
    if (asked === number) await gate;
    return real.flush(session, wait);
  };
  const sessions = Object.create(real, { flush: { value: flush } }) as SessionStore;
  return {
    sessions,
    settle: (error?: Error) => {
      settle(error);
    },
  };
}

async function program(
  held: number,
  {
    checkpoint = 'step',
    inbox = 'process',
  }: { checkpoint?: 'turn' | 'step'; inbox?: 'process' | 'durable' } = {},
) {
  const { sessions, settle } = await heldFlush(held);
  const world = await openWorld({
    sessions,
    checkpoint,
    script: [{ calls: [{ tool: 't' }, { tool: 't' }] }, 'done'],
  });
  const { agent } = await world.registry.create({ inbox });
  let ran = 0;
  world.tools.register(tool('t', () => String((ran += 1)), { exclusive: true }));
  agent.followup(say('m1'));
  await drainMicrotasks();
  return { ...world, agent, settle, ran: () => ran };
}

it('without it neither a model nor a tool waits for the log [A17]', async () => {
  const { model, ran, agent } = await program(1, { checkpoint: 'turn' });
  expect([model.requests.length, ran(), logOf(agent.session).at(-1)]).toEqual([2, 2, 'end 0 completed']);
});

it('a step that has claimed nothing of a durable inbox waits for no claim [A31]', async () => {
  const { model } = await program(2, { checkpoint: 'turn', inbox: 'durable' });
  expect(model.requests).toHaveLength(2);
});

it('a cancel ends the wait for a durable claim, and no model is asked [A31 A20]', async () => {
  const { agent, model } = await program(1, { checkpoint: 'turn', inbox: 'durable' });
  agent.cancel('user');
  await agent.whenIdle();
  expect([model.requests.length, logOf(agent.session).at(-1)]).toEqual([0, 'end 0 aborted']);
});

it('no model is asked before the claim is durable, nor where it cannot be made so [A17]', async () => {
  for (const error of [undefined, new Error('disk')]) {
    const { agent, settle, model } = await program(1);
    expect([model.requests.length, agent.status]).toEqual([0, 'running']);
    settle(error);
    await agent.whenIdle();
    expect(model.requests).toHaveLength(error === undefined ? 2 : 0);
    expect(logOf(agent.session).at(-1)).toBe(error === undefined ? 'end 0 completed' : 'end 0 error');
  }
});

it('no tool runs before its call is durable; where it cannot be made so none runs, and each call has a result [A17 A14]', async () => {
  for (const error of [undefined, new Error('disk')]) {
    const { agent, settle, ran, model } = await program(2);
    expect([model.requests.length, ran(), logOf(agent.session).includes('start t')]).toEqual([1, 0, false]);
    settle(error);
    await agent.whenIdle();
    expect(ran()).toBe(error === undefined ? 2 : 0);
    const results = logOf(agent.session).filter((line) => line.startsWith('result'));
    expect(results.map((line) => line.split(':')[0])).toEqual(
      Array.from({ length: 2 }, () => (error === undefined ? 'result t ok' : 'result t not-started')),
    );
    expect(logOf(agent.session).at(-1)).toBe(error === undefined ? 'end 0 completed' : 'end 0 error');
  }
});

it.each([
  [1, 0],
  [2, 1],
])(
  'a cancel ends the wait for flush %i, and nothing begins afterwards [A17 A20 A21]',
  async (held, asked) => {
    const { agent, settle, ran, model } = await program(held);
    agent.cancel('user');
    await agent.whenIdle();
    settle();
    await drainMicrotasks();
    expect([model.requests.length, ran(), logOf(agent.session).at(-1)]).toEqual([asked, 0, 'end 0 aborted']);
  },
);
