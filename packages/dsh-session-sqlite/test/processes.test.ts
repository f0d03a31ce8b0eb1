import { lstat, mkdtemp, readdir, rm } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { SessionDriver, WriterPlace } from '@deepseek-ai/dsh-session';
import {
  entries,
  event,
  events,
  kiwi,
  outline,
  plum,
  records,
  startWriter,
  write,
  type WriterProcess,
  type WriterSettings,
} from '@dsh-internal/driver-testing';
import { sqliteDriver } from '../src/index.ts';

vi.setConfig({ testTimeout: 60_000 });

const program = fileURLToPath(new URL('support/writer-process.ts', import.meta.url));
let folder: string;
let path: string;
let started: WriterProcess[];
let driver: SessionDriver;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dsh-session-sqlite-'));
  path = join(folder, 'store', 'sessions.sqlite');
  started = [];
  driver = sqliteDriver({ path });
});
afterEach(async () => {
  for (const one of started) one.signal('SIGKILL');
  await Promise.all(started.map((one) => one.ended()));
  await driver[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

function start(session: string, settings?: WriterSettings): WriterProcess {
  const one = startWriter(program, path, session, settings);
  started.push(one);
  return one;
}

/** Asks again until the place can be had. */
async function takeWhenFree(by: SessionDriver): Promise<WriterPlace> {
  for (;;) {
    try {
      return await by.take(plum, 'open', {});
    } catch (error) {
      expect(error).toMatchObject({ code: 'SESSION_LOCKED' });
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}

test('the place of another process is refused, naming it; killed, it is taken over at once [S20]', async () => {
  const holder = start('plum');
  expect(await holder.said('holds')).toBe('1');
  await expect(driver.take(plum, 'open', {})).rejects.toMatchObject({
    code: 'SESSION_LOCKED',
    holder: { pid: holder.pid, host: hostname(), since: expect.any(Number) as number },
  });
  await expect(driver.delete(plum, {})).rejects.toMatchObject({ code: 'SESSION_LOCKED' });
  expect(await outline(driver, plum)).toBe('0');
  holder.signal('SIGKILL');
  await holder.ended();
  const place = await driver.take(plum, 'open', {});
  expect(place.takenOver?.pid).toBe(holder.pid);
  await write(driver, place, 1, events(1, 2));
  expect(await outline(driver, plum)).toBe('0 1');
});

test('a process that ends in order leaves its place free [S20]', async () => {
  const holder = start('plum');
  await holder.said('holds');
  holder.tell('dispose');
  await holder.said('dispose');
  expect((await driver.take(plum, 'open', {})).takenOver).toBeUndefined();
});

test('a holder that is stopped past its lease is taken over, and refused when it wakes [S20] [S21]', async () => {
  const other = sqliteDriver({ path, leaseMs: 400 });
  const holder = start('plum', { leaseMs: 400 });
  await holder.said('holds');
  holder.tell('append');
  expect(await holder.said('durable')).toBe('2');
  await expect(other.take(plum, 'open', {})).rejects.toMatchObject({ code: 'SESSION_LOCKED' });
  holder.signal('SIGSTOP');
  const place = await takeWhenFree(other);
  expect(place.takenOver?.pid).toBe(holder.pid);
  expect(await outline(driver, plum)).toBe('0 1');
  await write(other, place, 2, [event(2, 'new')]);
  holder.signal('SIGCONT');
  holder.tell('append');
  expect(await holder.said('FENCED')).toBe('3');
  await write(other, place, 3, [event(3, 'new')]);
  expect((await records(driver, plum)).slice(2)).toEqual([event(2, 'new'), event(3, 'new')]);
  await other[Symbol.asyncDispose]();
});

test('a living holder keeps its place over many leases [S20]', async () => {
  const holder = start('plum', { leaseMs: 300 });
  await holder.said('holds');
  const end = Date.now() + 1000;
  while (Date.now() < end) {
    await expect(driver.take(plum, 'open', {})).rejects.toMatchObject({ code: 'SESSION_LOCKED' });
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
});

test('processes that start at once make one store, and write side by side [S11] [S20]', async () => {
  const names = ['plum', 'kiwi', 'lime'];
  const writers = names.map((name) => start(name));
  for (const writer of writers) await writer.said('holds');
  for (let time = 0; time < 20; time += 1) for (const writer of writers) writer.tell('append');
  for (const writer of writers) for (let time = 0; time < 20; time += 1) await writer.said('append');
  for (const writer of writers)
    expect(writer.lines.filter((line) => line.startsWith('durable'))).toHaveLength(21);
  for (const name of names) expect((await driver.head(name as never, {})).length).toBe(21);
});

test.each(['000', '077', '377'])(
  'everything is for its owner alone, under the umask %s [S28]',
  async (umask) => {
    const holder = start('plum', { umask });
    await holder.said('holds');
    holder.tell('append');
    await holder.said('append');
    const place = await driver.take(kiwi, 'create', { prefix: { session: plum, length: 1 } });
    await driver.release(place);
    for (const name of ['store', ...(await readdir(folder, { recursive: true }))]) {
      const stat = await lstat(join(folder, name));
      expect([name, (stat.mode & 0o777).toString(8)]).toEqual([name, stat.isDirectory() ? '700' : '600']);
    }
    expect(await entries(driver)).toHaveLength(1);
  },
);
