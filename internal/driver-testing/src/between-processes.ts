/** What processes over one store may do to each other, by real ones (S20, S21). The store is the caller's. */
import assert from 'node:assert/strict';
import { lstat, readdir } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { SessionDriver, SessionError, SessionId, WriterPlace } from '@deepseek-ai/dsh-session';
import { entries, event, events, kiwi, outline, plum, records, write } from './events.ts';
import { startWriter, type WriterProcess, type WriterSettings } from './processes.ts';

/** An empty store. */
export interface SharedStore {
  /** Opens it in this process. */
  readonly open: (options?: { readonly leaseMs: number }) => SessionDriver;
  /** The program that calls `runWriter` with such a driver. */
  readonly program: string;
  /** What that program is given as the place of the store. */
  readonly at: string;
}

interface Stage {
  /** Of this process. */
  readonly driver: SessionDriver;
  readonly open: (options: { readonly leaseMs: number }) => SessionDriver;
  /** A writer in a process of its own. */
  readonly start: (session: string, settings?: WriterSettings) => WriterProcess;
}
type Scenario = (stage: Stage) => Promise<void>;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const isLocked = (error: unknown): boolean => (error as SessionError).code === 'SESSION_LOCKED';

/** Asks again until the place can be had. */
async function takeWhenFree(driver: SessionDriver): Promise<WriterPlace> {
  for (;;) {
    try {
      return await driver.take(plum, 'open', {});
    } catch (error) {
      if (!isLocked(error)) throw error;
      await pause(20);
    }
  }
}

const killed: Scenario = async ({ driver, start }) => {
  const holder = start('plum');
  assert.equal(await holder.said('holds'), '1');
  await assert.rejects(driver.take(plum, 'open', {}), (error: SessionError) => {
    const { pid, host, since } = error.holder ?? {};
    assert.deepEqual([error.code, pid, host], ['SESSION_LOCKED', holder.pid, hostname()]);
    assert.equal(typeof since, 'number');
    return true;
  });
  await assert.rejects(driver.delete(plum, {}), isLocked);
  assert.equal(await outline(driver, plum), '0');
  holder.signal('SIGKILL');
  await holder.ended();
  const place = await driver.take(plum, 'open', {});
  assert.equal(place.takenOver?.pid, holder.pid);
  await write(driver, place, 1, events(1, 2));
  assert.equal(await outline(driver, plum), '0 1');
};

const endedInOrder: Scenario = async ({ driver, start }) => {
  const holder = start('plum');
  await holder.said('holds');
  holder.tell('dispose');
  await holder.said('dispose');
  assert.equal((await driver.take(plum, 'open', {})).takenOver, undefined);
};

const stopped: Scenario = async ({ driver, open, start }) => {
  const other = open({ leaseMs: 400 });
  const holder = start('plum', { leaseMs: 400 });
  await holder.said('holds');
  holder.tell('append');
  assert.equal(await holder.said('durable'), '2');
  await assert.rejects(other.take(plum, 'open', {}), isLocked);
  holder.signal('SIGSTOP');
  const place = await takeWhenFree(other);
  assert.equal(place.takenOver?.pid, holder.pid);
  assert.equal(await outline(driver, plum), '0 1');
  await write(other, place, 2, [event(2, 'new')]);
  holder.signal('SIGCONT');
  holder.tell('append');
  assert.equal(await holder.said('FENCED'), '3');
  await write(other, place, 3, [event(3, 'new')]);
  assert.deepEqual((await records(driver, plum)).slice(2), [event(2, 'new'), event(3, 'new')]);
};

const living: Scenario = async ({ driver, start }) => {
  const holder = start('plum', { leaseMs: 300 });
  await holder.said('holds');
  const end = Date.now() + 1000;
  while (Date.now() < end) {
    await assert.rejects(driver.take(plum, 'open', {}), isLocked);
    await pause(50);
  }
};

const sideBySide: Scenario = async ({ driver, start }) => {
  const names = ['plum', 'kiwi', 'lime'];
  const writers = names.map((name) => start(name));
  for (const writer of writers) await writer.said('holds');
  const often = Array.from({ length: 20 }, () => 'append');
  for (const word of often) for (const writer of writers) writer.tell(word);
  for (const writer of writers) for (const word of often) await writer.said(word);
  for (const writer of writers)
    assert.equal(writer.lines.filter((line) => line.startsWith('durable')).length, 21);
  for (const name of names) assert.equal((await driver.head(name as SessionId, {})).length, 21);
};

/** By what happens. They reject with an `AssertionError` for what is wrong. */
export const processScenarios: Readonly<Record<string, Scenario>> = {
  'the place of a living process is refused, naming it; killed, it is taken over at once': killed,
  'a process that ends in order leaves its place free': endedInOrder,
  'a holder that is stopped past its lease is taken over, and refused when it wakes': stopped,
  'a living holder keeps its place over many leases': living,
  'processes that start at once make one store, and write side by side': sideBySide,
};

/** Plays one of {@link processScenarios}, and ends whatever it began. */
export async function playBetweenProcesses(name: string, store: SharedStore): Promise<void> {
  const scenario = processScenarios[name];
  if (scenario === undefined) throw new Error(`no scenario is called ${name}`);
  await onStage(store, scenario);
}

/** Under any umask, all that a writer and a fork make in `folder` is for its owner alone (S28). */
export async function expectPrivate(store: SharedStore, folder: string, umask: string): Promise<void> {
  await onStage(store, async ({ driver, start }) => {
    const holder = start('plum', { umask });
    await holder.said('holds');
    holder.tell('append');
    await holder.said('append');
    const place = await driver.take(kiwi, 'create', { prefix: { session: plum, length: 1 } });
    await driver.release(place);
    for (const name of ['.', ...(await readdir(folder, { recursive: true }))]) {
      const stat = await lstat(join(folder, name));
      const mode = (stat.mode & 0o777).toString(8);
      assert.deepEqual([name, mode], [name, stat.isDirectory() ? '700' : '600']);
    }
    assert.equal((await entries(driver)).length, 1);
  });
}

async function onStage({ open, program, at }: SharedStore, scenario: Scenario): Promise<void> {
  const started: WriterProcess[] = [];
  const drivers: SessionDriver[] = [];
  const opened = (driver: SessionDriver): SessionDriver => {
    drivers.push(driver);
    return driver;
  };
  try {
    await scenario({
      driver: opened(open()),
      open: (options) => opened(open(options)),
      start(session, settings) {
        const writer = startWriter(program, at, session, settings);
        started.push(writer);
        return writer;
      },
    });
  } finally {
    for (const writer of started) writer.signal('SIGKILL');
    await Promise.all(started.map((writer) => writer.ended()));
    for (const driver of drivers) await driver[Symbol.asyncDispose]();
  }
}
