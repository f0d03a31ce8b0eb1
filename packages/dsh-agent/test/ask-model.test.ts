/** Failures of models: A15, A33. */
import { expect, it } from 'vitest';
import { modelError } from '../src/model.ts';
import { drainMicrotasks } from '../src/testing/index.ts';
import { logOf, openWorld, say } from './agent-world.ts';

it('asks again after a failure that may pass, and tells it [A15]', async () => {
  const { registry, clock, model } = await openWorld({
    script: [{ error: { status: 503 } }, { text: 'half', cut: true }, 'whole'],
  });
  const { agent } = await registry.create();
  const retries: unknown[] = [];
  agent.on('agent/retry', ({ attempt, delayMs, error }) =>
    retries.push([attempt, delayMs, (error as { code?: string }).code]),
  );
  agent.followup(say('m1'));
  for (let waits = 0; waits < 2; waits += 1) {
    await drainMicrotasks();
    expect(clock.advanceToNext()).toBe(true);
  }
  await agent.whenIdle();
  expect(retries).toEqual([
    [1, 750, expect.any(String)],
    [2, 1_500, 'CUT_STREAM'],
  ]);
  expect(model.requests).toHaveLength(3);
  expect(logOf(agent.session)).toEqual(['turn 0', 'user m1', 'assistant whole', 'end 0 completed']);
});

it('gives up after its attempts, and keeps the text of the last one [A15]', async () => {
  const { registry, clock, model } = await openWorld({
    script: () => ({ text: 'half', cut: 'throw' }),
    limits: { modelAttempts: 2 },
  });
  const { agent } = await registry.create();
  const errors: unknown[] = [];
  agent.on('agent/error', ({ error }) => errors.push(error.message));
  agent.followup(say('m1'));
  await drainMicrotasks();
  clock.advanceToNext();
  await agent.whenIdle();
  expect(model.requests).toHaveLength(2);
  expect(logOf(agent.session)).toEqual(['turn 0', 'user m1', 'assistant half (interrupted)', 'end 0 error']);
  expect(agent.session.events().at(-1)?.data).toMatchObject({
    reason: { kind: 'error', code: 'CUT_STREAM' },
  });
  expect(errors).toHaveLength(1);
  agent.cancel('user');
  expect(agent.inbox.parked).toBe(false);
});

it.each([
  ['a failure that stays', { error: { status: 401 } }],
  ['an error that is none of ours', { error: { code: 'X', retryable: false } }],
])('does not repeat %s, and goes on with the next turn [A11][A15]', async (_, failure) => {
  const { registry, model } = await openWorld({ script: [failure, 'fine'] });
  const { agent } = await registry.create();
  agent.followup(say('m1'));
  agent.followup(say('m2'));
  await agent.whenIdle();
  expect(model.requests).toHaveLength(2);
  expect(logOf(agent.session)).toEqual([
    'turn 0',
    'user m1',
    'end 0 error',
    'turn 1',
    'user m2',
    'assistant fine',
    'end 1 completed',
  ]);
});

it('stops the wait for another attempt when it is cancelled [A15][A23]', async () => {
  const { registry, clock, model } = await openWorld({
    script: [{ error: { status: 429, retryAfterMs: 60_000 } }],
  });
  const { agent } = await registry.create();
  agent.followup(say('m1'));
  await drainMicrotasks();
  agent.cancel('user');
  await agent.whenIdle();
  expect([model.requests.length, clock.pending]).toEqual([1, 0]);
  expect(logOf(agent.session).at(-1)).toBe('end 0 aborted');
});

it('twenty agents that meet one 429 do not ask again all at once [A15]', async () => {
  let underWay = 0;
  let peak = 0;
  let failing = true;
  const releases: (() => void)[] = [];
  const model = {
    id: 'crowded',
    async *stream() {
      underWay += 1;
      peak = Math.max(peak, underWay);
      try {
        if (failing) throw modelError('RATE_LIMITED', '429', { retryable: true, retryAfterMs: 5_000 });
        await new Promise<void>((resolve) => releases.push(resolve));
        yield { type: 'finish', reason: 'stop' } as const;
      } finally {
        underWay -= 1;
      }
    },
  };
  const { registry, clock } = await openWorld({ models: () => model });
  const agents = await Promise.all(Array.from({ length: 20 }, async () => (await registry.create()).agent));
  for (const agent of agents) agent.followup(say('m1'));
  await drainMicrotasks();
  failing = false;
  peak = 0;
  clock.advance(60_000);
  const peaks: number[] = [];
  while (agents.some(({ status }) => status === 'running')) {
    await drainMicrotasks();
    peaks.push(underWay);
    for (const release of releases.splice(0)) release();
    await drainMicrotasks();
  }
  expect(peaks.slice(0, 3)).toEqual([1, 2, 4]);
  expect(agents.every(({ session }) => logOf(session).at(-1) === 'end 0 completed')).toBe(true);
});

it('bounds the model requests of the registry, first come first served [A33]', async () => {
  const asked: string[] = [];
  const { registry, model } = await openWorld({
    script: (request) => {
      const text = request.messages.findLast(({ role }) => role === 'user')?.content[0];
      const name = text?.type === 'text' ? text.text : '';
      asked.push(name);
      return { text: name, hold: name };
    },
    limits: { modelCalls: 2 },
  });
  const agents = await Promise.all([1, 2, 3, 4].map(async () => (await registry.create()).agent));
  agents.forEach((agent, index) => agent.followup(say(`m${index}`)));
  await drainMicrotasks();
  expect(asked).toEqual(['m0', 'm1']);
  agents[2]?.cancel('user');
  model.release('m1');
  await drainMicrotasks();
  expect(asked).toEqual(['m0', 'm1', 'm3']);
  for (const name of ['m0', 'm3']) model.release(name);
  await Promise.all(agents.map((agent) => agent.whenIdle()));
});

it('ends the turn of a route whose model is gone [A15]', async () => {
  let there = true;
  const { registry, model } = await openWorld({ models: () => (there ? model : undefined) });
  const { agent } = await registry.create();
  there = false;
  agent.followup(say('m1'));
  await agent.whenIdle();
  expect(agent.session.events().at(-1)?.data).toMatchObject({ reason: { kind: 'error', code: 'NO_MODEL' } });
});
