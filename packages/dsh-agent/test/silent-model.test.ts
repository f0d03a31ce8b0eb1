/** A model that says nothing for too long: A15. */
import { expect, it } from 'vitest';
import type { Model, ModelEvent } from '../src/model.ts';
import { drainMicrotasks } from '../src/testing/index.ts';
import { logOf, openWorld, say } from './agent-world.ts';

/** Sends each event when it is told to, and heeds no signal but to note it. */
function slowModel() {
  const sends: ((event: ModelEvent) => void)[] = [];
  const signals: AbortSignal[] = [];
  const model: Model = {
    id: 'slow',
    stream: (_request, { signal }) => {
      signals.push(signal);
      const next = () =>
        new Promise<IteratorResult<ModelEvent>>((resolve) => {
          sends.push((value) => {
            resolve({ done: false, value });
          });
        });
      return { [Symbol.asyncIterator]: () => ({ next }) };
    },
  };
  const send = async (event: ModelEvent): Promise<void> => {
    sends.pop()?.(event);
    await drainMicrotasks();
  };
  return { model, signals, send };
}

it('is left after modelIdleMs without an event, and asked again [A15]', async () => {
  const { model, signals, send } = slowModel();
  const { registry, clock } = await openWorld({ models: () => model, limits: { modelIdleMs: 1_000 } });
  const { agent } = await registry.create();
  const retries: unknown[] = [];
  agent.on('agent/retry', ({ error }) => retries.push(error));
  agent.followup(say('m1'));
  await drainMicrotasks();
  clock.advance(900);
  await send({ type: 'text', delta: 'so' });
  clock.advance(999);
  await drainMicrotasks();
  expect([signals.length, signals[0]?.aborted]).toEqual([1, false]);
  clock.advance(1);
  await drainMicrotasks();
  expect(signals[0]?.aborted).toBe(true);
  expect(retries).toEqual([expect.objectContaining({ code: 'TIMEOUT', retryable: true })]);
  clock.advance(1_000);
  await drainMicrotasks();
  expect(signals).toHaveLength(2);
  await send({ type: 'text', delta: 'whole' });
  await send({ type: 'finish', reason: 'stop' });
  await agent.whenIdle();
  expect(logOf(agent.session)).toEqual(['turn 0', 'user m1', 'assistant whole', 'end 0 completed']);
  expect(clock.advanceToNext()).toBe(false);
});

it('ends the turn with TIMEOUT once the attempts are used up [A15]', async () => {
  const { model } = slowModel();
  const limits = { modelIdleMs: 1_000, modelAttempts: 1 };
  const { registry, clock } = await openWorld({ models: () => model, limits });
  const { agent } = await registry.create();
  agent.followup(say('m1'));
  await drainMicrotasks();
  clock.advance(1_000);
  await agent.whenIdle();
  expect(agent.session.events().at(-1)?.data).toMatchObject({ reason: { kind: 'error', code: 'TIMEOUT' } });
});

it('may be waited for without an end where the limit says so [A15]', async () => {
  const { model, send } = slowModel();
  const { registry, clock } = await openWorld({ models: () => model, limits: { modelIdleMs: Infinity } });
  const { agent } = await registry.create();
  agent.followup(say('m1'));
  await drainMicrotasks();
  expect(clock.advanceToNext()).toBe(false);
  await send({ type: 'text', delta: 'late' });
  await send({ type: 'finish', reason: 'stop' });
  await agent.whenIdle();
  expect(logOf(agent.session).at(-1)).toBe('end 0 completed');
});
