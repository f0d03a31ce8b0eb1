import { afterEach, beforeEach, expect, test } from 'vitest';
import type { SessionDriver, SessionId, WriterPlace } from '@deepseek-ai/dsh-session';
import {
  event,
  events,
  headerText,
  id,
  kiwi,
  outline,
  plum,
  records,
  stored,
  write,
} from '@dsh-internal/driver-testing';
import { openStage, type Stage } from './support/stage.ts';

const lime = id('lime');
let stage: Stage;
let driver: SessionDriver;
beforeEach(async () => {
  stage = await openStage();
  driver = stage.driver();
});
afterEach(() => stage.dispose());

async function fork(of: SessionId, source: SessionId, length: number, own: number): Promise<WriterPlace> {
  const place = await driver.take(of, 'create', { prefix: { session: source, length } });
  await write(driver, place, length, events(length, length + own), headerText(of, { seedLength: length }));
  return place;
}

const count = (table: string): unknown =>
  stage.raw((db) => db.prepare(`SELECT count(*) FROM ${table}`).pluck().get());
const changes = (work: () => Promise<unknown>): Promise<number> => {
  const pages = (): number => stage.raw((db) => Number(db.pragma('page_count', { simple: true })));
  const before = pages();
  return work().then(() => pages() - before);
};

test('a fork of a hundred thousand events writes as much as a fork of one [S23]', async () => {
  const place = await stored(driver, plum, 0);
  await write(driver, place, 0, events(0, 100_000));
  await fork(kiwi, plum, 1, 1);
  expect(await changes(() => fork(lime, plum, 100_000, 1))).toBeLessThan(4);
  expect(count('event')).toBe(100_002);
  expect(await records(driver, lime, 99_999)).toEqual(events(99_999, 100_001));
});

test('a deleted source takes with it what no fork shares [S23]', async () => {
  await driver.release(await stored(driver, plum, 10));
  await fork(kiwi, plum, 4, 1);
  await fork(lime, plum, 6, 1);
  await driver.delete(plum, {});
  expect(count('event')).toBe(6 + 2);
  expect(await outline(driver, lime)).toBe('0 1 2 3 4 5 6');
  expect(await outline(driver, kiwi)).toBe('0 1 2 3 4');
});

test('the last fork that goes takes the logs of its deleted ancestors with it [S23]', async () => {
  await driver.release(await stored(driver, plum, 3));
  await driver.release(await fork(kiwi, plum, 2, 2));
  await driver.release(await fork(lime, kiwi, 3, 1));
  await driver.delete(plum, {});
  await driver.delete(kiwi, {});
  expect(await outline(driver, lime)).toBe('0 1 2 3');
  await driver.delete(lime, {});
  expect([count('event'), count('log'), count('garbage')]).toEqual([0, 0, 0]);
});

test('a fork that ends within what its source inherited refers to where that stands [S23]', async () => {
  await driver.release(await stored(driver, plum, 5));
  await driver.release(await fork(kiwi, plum, 4, 3));
  await fork(lime, kiwi, 2, 1);
  await driver.delete(kiwi, {});
  expect(count('log')).toBe(2);
  expect(await outline(driver, lime)).toBe('0 1 2');
});

test('a fork that was never written leaves its source as it was [S4] [S23]', async () => {
  await driver.release(await stored(driver, plum, 5));
  await driver.release(await driver.take(kiwi, 'create', { prefix: { session: plum, length: 5 } }));
  expect([count('event'), count('log')]).toEqual([5, 1]);
});

test('a batch that is tried again writes over nothing that a fork shares [S12] [S23]', async () => {
  const source = await stored(driver, plum, 2);
  await write(driver, source, 2, [event(2, 'stale'), event(3, 'stale')]);
  await fork(kiwi, plum, 4, 1);
  await write(driver, source, 2, [event(2, 'fresh')]);
  await write(driver, source, 3, [event(3, 'fresh')]);
  expect(await records(driver, plum, 2)).toEqual([event(2, 'fresh'), event(3, 'fresh')]);
  expect((await records(driver, kiwi)).slice(2)).toEqual([event(2, 'stale'), event(3, 'stale'), event(4)]);
  expect((await driver.head(plum, {})).start).toHaveLength(4);
});

test('a long log is deleted piece by piece, and what a crash left of it goes later [S19]', async () => {
  const place = await stored(driver, plum, 0);
  await write(driver, place, 0, events(0, 2000));
  await driver.release(place);
  const deleting = driver.delete(plum, {});
  const left: unknown[] = [];
  const run = { over: false };
  const watching = (async () => {
    while (!run.over) {
      left.push(count('event'));
      await new Promise((resolve) => setImmediate(resolve));
    }
  })();
  await deleting;
  run.over = true;
  await watching;
  expect(left.some((rows) => Number(rows) > 0 && Number(rows) < 2000)).toBe(true);
  expect(count('event')).toBe(0);

  await driver.release(await stored(driver, kiwi, 3));
  // As if the process had ended between two pieces.
  stage.raw((db) => db.exec('INSERT INTO garbage SELECT log FROM session; DELETE FROM session'));
  stage.crash();
  const next = stage.driver();
  await next.take(lime, 'create', {});
  await next[Symbol.asyncDispose]();
  expect(count('event')).toBe(0);
});
