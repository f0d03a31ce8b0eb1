/** What a creation or a resume leaves behind with those who were asked: A25, A24. */
import { memoryDriver, openSessionStore } from '@deepseek-ai/dsh-session';
import { expect, it } from 'vitest';
import type { AgentSpec } from '../src/registry.ts';
import { drainMicrotasks } from '../src/testing/index.ts';
import { id, logOf, openWorld, relay, say } from './agent-world.ts';

/** A signal that counts who listens to it. */
function countedSignal() {
  const controller = new AbortController();
  const { signal } = controller;
  const listeners = new Set<unknown>();
  const add = signal.addEventListener.bind(signal);
  const remove = signal.removeEventListener.bind(signal);
  signal.addEventListener = (...args: Parameters<typeof add>) => {
    listeners.add(args[1]);
    add(...args);
  };
  signal.removeEventListener = (...args: Parameters<typeof remove>) => {
    listeners.delete(args[1]);
    remove(...args);
  };
  return { signal, listeners, controller };
}

it.each(['returned', 'refused'] as const)(
  'no listener stays on the signal of one that was %s [A25]',
  async (how) => {
    const { registry } = await openWorld();
    const { signal, listeners } = countedSignal();
    let during = 0;
    const creating = registry.create({
      signal,
      setup: async () => {
        await drainMicrotasks();
        during = listeners.size;
        if (how === 'refused') throw new Error('failed');
      },
    });
    await creating.catch(() => undefined);
    expect(during).toBeGreaterThan(0);
    expect(listeners.size).toBe(0);
  },
);

it('an agent that did not come about does not listen to its Session any more [A25]', async () => {
  const { registry, told } = await openWorld();
  const left: string[] = [];
  const creating = registry.create({
    setup: ({ session: { lost } }) => {
      const remove = lost.removeEventListener.bind(lost);
      lost.removeEventListener = (...args: Parameters<typeof remove>) => {
        left.push(args[0]);
        remove(...args);
      };
      throw new Error('failed');
    },
  });
  await expect(creating).rejects.toThrow('failed');
  expect(left).toEqual(['abort']);
  expect(told.filter((line) => line !== 'status closing')).toEqual([]);
});

const failures: readonly (readonly [string, (abort: () => void) => AgentSpec])[] = [
  ['setup fails', () => ({ setup: () => Promise.reject(new Error('failed')) })],
  [
    'admit throws',
    () => ({
      admit() {
        throw new Error('failed');
      },
    }),
  ],
  [
    'the signal aborts during setup',
    (abort) => ({
      setup: async () => {
        await drainMicrotasks();
        abort();
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

it.each(failures)('a stored Session is as it was, and free, when %s on its resume [A25]', async (_, spec) => {
  const driver = memoryDriver();
  const sessions = await openSessionStore({ driver });
  const { registry } = await openWorld({ sessions });
  const first = await registry.create({ id: id('s') });
  first.agent.followup(say('m1'));
  await first.agent.whenIdle();
  await first.dispose();
  const { signal, controller } = countedSignal();
  const resuming = registry.resume({
    id: id('s'),
    signal,
    ...spec(() => {
      controller.abort(new Error('failed'));
    }),
  });
  await expect(resuming).rejects.toThrow('failed');
  expect([registry.list(), sessions.get(id('s'))]).toEqual([[], undefined]);
  // Another process could take it at once.
  const other = await openSessionStore({ driver: memoryDriver({ medium: driver.medium }) });
  const session = await other.open(id('s'));
  await session.ready();
  expect(logOf(session)).toEqual(logOf(first.agent.session));
  await other.close(session);
  expect((await registry.resume({ id: id('s') })).agent.id).toBe('s');
});

it('a disposal that is to keep discards what only the process has, each with its event [A24]', async () => {
  const { registry, told } = await openWorld();
  const handle = await registry.create({ start: 'held' });
  handle.agent.inject(relay('i1'));
  handle.agent.followup(say('m1'));
  await handle.dispose({ pending: 'keep' });
  expect(told.filter((line) => line.startsWith('inbox/discard'))).toEqual([
    'inbox/discard i1 disposed',
    'inbox/discard m1 disposed',
  ]);
  expect(handle.agent.inbox.list()).toEqual([]);
});
