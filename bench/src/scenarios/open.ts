/** Opening a stored Session, by the length of its log: to acceptance, and to the first model request. */
import type { Message } from '@deepseek-ai/dsh-session';
import { numberOf, textOf, type Case, type Figure, type Params, type Scenario } from '../figure.ts';
import { drivers, openStore, peakMegabytes, since, source, writeLog } from '../store.ts';

const cases = (long: boolean): readonly Case[] =>
  (long ? [10, 1_000, 10_000, 100_000, 1_000_000] : [10, 10_000, 100_000]).flatMap((events) =>
    drivers.map((driver) => ({
      title: `${driver}, ${events} events`,
      params: { driver, events },
      prepare: true,
    })),
  );

async function run(params: Params, folder: string): Promise<readonly Figure[]> {
  const driver = textOf(params, 'driver');
  await warmUp(driver, folder);
  const before = peakMegabytes();
  const start = performance.now();
  const store = await openStore(driver, folder);
  const session = await store.open(source);
  const ordinal = session.turns;
  session.append('turn/start', { turn: ordinal });
  const accepted = since(start);
  const acceptedPeak = peakMegabytes() - before;
  await session.ready();
  const shown = sizeOf(session.history());
  const loaded = since(start);
  const loadedPeak = peakMegabytes() - before;
  session.append('turn/end', { turn: ordinal, reason: { kind: 'completed' } });
  await store[Symbol.asyncDispose]();
  if (shown === 0) throw new Error('the history is empty');
  return [
    { name: 'to acceptance', unit: 'ms', value: accepted, better: 'less' },
    { name: 'to the first request', unit: 'ms', value: loaded, better: 'less' },
    { name: 'peak at acceptance', unit: 'MB', value: acceptedPeak, better: 'less' },
    { name: 'peak at the first request', unit: 'MB', value: loadedPeak, better: 'less' },
  ];
}

/** Looks at every message, as an agent does that sends the history to a model. */
function sizeOf(history: readonly Message[]): number {
  let blocks = 0;
  for (const message of history) blocks += message.content.length;
  return blocks;
}

/** Code that was never run is not what is measured: another Session of the store is opened first. */
async function warmUp(driver: string, folder: string): Promise<void> {
  for (let round = 0; round < 3; round += 1) {
    const store = await openStore(driver, folder);
    const other = await store.create();
    other.append('session/recovered', { damaged: 0 });
    await store.close(other);
    await store.close(await store.open(other.id));
    await store.delete(other.id);
    await store[Symbol.asyncDispose]();
  }
}

export const opening: Scenario = {
  name: 'open',
  cases,
  prepare: (params, folder) => writeLog(textOf(params, 'driver'), folder, numberOf(params, 'events')),
  run,
};
