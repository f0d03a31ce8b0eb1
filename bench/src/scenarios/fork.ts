/** Forking a stored and a live Session, by the length of the prefix. */
import { numberOf, quantile, textOf, type Case, type Figure, type Params, type Scenario } from '../figure.ts';
import { drivers, openStore, since, source, writeLog } from '../store.ts';

const cases = (long: boolean): readonly Case[] =>
  (long ? [10, 10_000, 100_000, 1_000_000] : [10, 10_000, 100_000]).flatMap((events) =>
    drivers.map((driver) => ({
      title: `${driver}, ${events} events`,
      params: { driver, events, forks: 50 },
      prepare: true,
    })),
  );

async function run(params: Params, folder: string): Promise<readonly Figure[]> {
  const store = await openStore(textOf(params, 'driver'), folder);
  const forks = numberOf(params, 'forks');
  const measure = async (): Promise<number> => {
    const times: number[] = [];
    for (let round = 0; round < forks; round += 1) {
      const start = performance.now();
      const fork = await store.fork(source);
      await store.flush(fork);
      times.push(since(start));
      await store.close(fork);
      await store.delete(fork.id);
    }
    return quantile(times, 0.5);
  };
  const stored = await measure();
  const session = await store.open(source);
  const live = await measure();
  await store.close(session);
  await store[Symbol.asyncDispose]();
  return [
    { name: 'stored, durable', unit: 'ms', value: stored, better: 'less' },
    { name: 'live, durable', unit: 'ms', value: live, better: 'less' },
  ];
}

export const forking: Scenario = {
  name: 'fork',
  cases,
  prepare: (params, folder) => writeLog(textOf(params, 'driver'), folder, numberOf(params, 'events')),
  run,
};
