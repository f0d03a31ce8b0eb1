import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { SessionDriver } from '@deepseek-ai/dsh-session';
import { append, events, id, kiwi, outline, plum, stored, write } from '@dsh-internal/driver-testing';
import { openStage, type Stage } from './support/stage.ts';

let stage: Stage;
let driver: SessionDriver;
let other: Database.Database;
let pauses: number[];
let onPause: () => void;
beforeEach(async () => {
  stage = await openStage();
  pauses = [];
  onPause = () => undefined;
  driver = stage.driver({
    pause: async (ms) => {
      await Promise.resolve();
      pauses.push(ms);
      onPause();
    },
  });
  await driver.release(await stored(driver, plum, 1));
  other = new Database(stage.path);
});
afterEach(async () => {
  other.close();
  await stage.dispose();
});

/** Another process is in a transaction, until it is told otherwise. */
const hold = (): void => {
  other.exec('BEGIN IMMEDIATE');
};
const letGo = (): void => {
  if (other.inTransaction) other.exec('ROLLBACK');
};

test('waits for a transaction of another process without holding the event loop [S20]', async () => {
  hold();
  onPause = () => {
    if (pauses.length === 3) letGo();
  };
  const started = performance.now();
  const place = await driver.take(plum, 'open', {});
  expect(pauses).toEqual([2, 4, 8]);
  expect(performance.now() - started).toBeLessThan(2000);
  await write(driver, place, 1, events(1, 2));
});

test('a batch that waited too long is not durable, and is written by the next try [S12]', async () => {
  const place = await driver.take(plum, 'open', {});
  hold();
  expect(await append(driver, place, 1, events(1, 2))).toMatchObject({
    ok: false,
    error: { code: 'NOT_DURABLE', cause: { code: 'SQLITE_BUSY' } },
  });
  expect(Math.max(...pauses)).toBe(50);
  expect(pauses.reduce((sum, ms) => sum + ms, 0)).toBeGreaterThan(5000);
  letGo();
  await write(driver, place, 1, events(1, 2));
});

test('a signal ends the waiting [S20]', async () => {
  hold();
  const controller = new AbortController();
  onPause = () => {
    controller.abort(new Error('nobody waits'));
  };
  await expect(driver.take(plum, 'open', { signal: controller.signal })).rejects.toThrow('nobody waits');
  letGo();
  await driver.take(plum, 'open', {});
});

test('readers wait for nobody [S20]', async () => {
  hold();
  expect(await outline(driver, plum)).toBe('0');
  expect(pauses).toEqual([]);
  letGo();
});

test('a driver that is disposed of while it waits takes nothing [S30]', async () => {
  hold();
  let disposed: PromiseLike<void> | undefined;
  onPause = () => {
    disposed ??= driver[Symbol.asyncDispose]();
    if (pauses.length > 5) letGo();
  };
  await driver.take(kiwi, 'create', {});
  await disposed;
  expect(stage.raw((db) => db.prepare('SELECT count(*) FROM place').pluck().get())).toBe(0);
  await stage.driver().take(id('kiwi'), 'create', {});
});
