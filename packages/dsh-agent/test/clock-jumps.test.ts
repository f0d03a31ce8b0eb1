/** The machine's clock is set while somebody waits: nobody waits longer for it than was asked for. */
import { memoryDriver, openSessionStore } from '@deepseek-ai/dsh-session';
import { expect, it } from 'vitest';
import { createAgentRegistry } from '../src/create-registry.ts';
import { modelError, type Model } from '../src/model.ts';
import { drainMicrotasks, scriptedModel, virtualClock } from '../src/testing/index.ts';
import { createToolRegistry } from '../src/tool-registry.ts';
import { logOf, openWorld, say } from './agent-world.ts';

const hour = 3_600_000;

/** Timers run on; what the clock shows is set by hand. */
async function jumpingWorld(model: Model, limits: object = {}) {
  const base = virtualClock(10 * hour);
  let offset = 0;
  const clock = { now: () => base.now() + offset, timer: base.timer.bind(base) };
  const registry = createAgentRegistry({
    sessions: await openSessionStore({ driver: memoryDriver() }),
    tools: createToolRegistry(),
    models: () => model,
    defaults: { model: 'main' },
    random: () => 0,
    limits,
    clock,
  });
  return {
    registry,
    jump: (ms: number) => (offset += ms),
    pass: async (ms: number) => {
      base.advance(ms);
      await drainMicrotasks();
    },
  };
}

const busy = { error: { status: 429, retryAfterMs: 1_000 } };

it.each([
  ['back', -hour],
  ['forward', hour],
])('a route waits as long as it was told to although the clock is set %s [A15]', async (_way, ms) => {
  const model = scriptedModel([busy, 'well', 'other']);
  const { registry, jump, pass } = await jumpingWorld(model);
  const [one, other] = [await registry.create(), await registry.create()];
  one.agent.followup(say('m1'));
  await drainMicrotasks();
  jump(ms);
  other.agent.followup(say('m2'));
  await pass(1_000);
  await pass(1_000);
  expect([one, other].map(({ agent }) => logOf(agent.session).at(-1))).toEqual([
    'end 0 completed',
    'end 0 completed',
  ]);
});

it('a silent model is left after modelIdleMs although the clock is set back [A15]', async () => {
  const model: Model = { id: 'silent', stream: () => ({ [Symbol.asyncIterator]: () => ({ next: never }) }) };
  const { registry, jump, pass } = await jumpingWorld(model, { modelIdleMs: 1_000, modelAttempts: 1 });
  const { agent } = await registry.create();
  agent.followup(say('m1'));
  await drainMicrotasks();
  jump(-hour);
  await pass(1_000);
  await pass(1_000);
  expect(agent.session.events().at(-1)?.data).toMatchObject({ reason: { code: 'TIMEOUT' } });
});

const never = (): Promise<never> => new Promise(() => {});

it.each([Number.NaN, -5, '5', null])(
  'a delay that is none counts as none: %s [A15]',
  async (retryAfterMs) => {
    let asked = 0;
    const model: Model = {
      id: 'odd',
      async *stream() {
        asked += 1;
        const named = retryAfterMs as number;
        if (asked === 1) throw modelError('RATE_LIMITED', 'busy', { retryable: true, retryAfterMs: named });
        yield { type: 'text', delta: 'well' };
        yield { type: 'finish', reason: 'stop' };
      },
    };
    const { registry, clock } = await openWorld({ models: () => model });
    const { agent } = await registry.create();
    const delays: number[] = [];
    agent.on('agent/retry', ({ delayMs }) => delays.push(delayMs));
    agent.followup(say('m1'));
    await drainMicrotasks();
    expect(delays).toEqual([750]);
    clock.advance(750);
    await agent.whenIdle();
    expect(logOf(agent.session).at(-1)).toBe('end 0 completed');
  },
);
