/** Durable appends: payload events of one size, a barrier after every few. */
import { numberOf, textOf, type Case, type Figure, type Params, type Scenario } from '../figure.ts';
import { drivers, openStore, say, since } from '../store.ts';

function cases(long: boolean): readonly Case[] {
  const shapes: readonly (readonly [sessions: number, bytes: number, every: number, events: number])[] = [
    [1, 200, 1, long ? 3_000 : 1_000],
    [1, 200, 10, long ? 20_000 : 5_000],
    [1, 200, 100, long ? 100_000 : 30_000],
    [200, 200, 10, long ? 100_000 : 20_000],
    [1, 20_000, 1, 500],
    [1, 20_000, 100, long ? 10_000 : 3_000],
  ];
  return shapes.flatMap(([sessions, bytes, every, events]) =>
    drivers.map((driver) => ({
      title: `${driver}, ${sessions} sessions, ${bytes} B, ${every} per barrier`,
      params: { driver, sessions, bytes, every, events },
    })),
  );
}

async function run(params: Params, folder: string): Promise<readonly Figure[]> {
  const store = await openStore(textOf(params, 'driver'), folder);
  const [count, bytes] = [numberOf(params, 'sessions'), numberOf(params, 'bytes')];
  const [every, events] = [numberOf(params, 'every'), numberOf(params, 'events')];
  const sessions = await Promise.all(Array.from({ length: count }, () => store.create()));
  const text = 'x'.repeat(bytes);
  for (const session of sessions) say(session, 'the first one writes the header');
  await Promise.all(sessions.map((session) => store.flush(session)));
  const start = performance.now();
  for (let written = 0; written < events; written += count * every) {
    for (const session of sessions) for (let index = 0; index < every; index += 1) say(session, text);
    await Promise.all(sessions.map((session) => store.flush(session)));
  }
  const seconds = since(start) / 1000;
  await store[Symbol.asyncDispose]();
  return [
    { name: 'events', unit: '/s', value: events / seconds, better: 'more' },
    { name: 'payload', unit: 'MB/s', value: (events * bytes) / seconds / 1e6, better: 'more' },
  ];
}

export const append: Scenario = { name: 'append', cases, run };
