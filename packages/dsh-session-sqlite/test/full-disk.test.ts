import type Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openSessionStore, type SessionDriver } from '@deepseek-ai/dsh-session';
import {
  append,
  event,
  events,
  headerText,
  kiwi,
  outline,
  plum,
  records,
  stored,
  write,
} from '@dsh-internal/driver-testing';
import { openStage, type Stage } from './support/stage.ts';

let stage: Stage;
let driver: SessionDriver;
let db: Database.Database;
beforeEach(async () => {
  stage = await openStage();
  driver = stage.driver({
    onConnect: (connection) => {
      db = connection;
    },
  });
});
afterEach(() => stage.dispose());

/** So many pages can be added to the file. */
const leave = (pages: number): void => {
  db.pragma(`max_page_count = ${Number(db.pragma('page_count', { simple: true })) + pages}`);
};
const big = (seq: number) => event(seq, 'x'.repeat(100_000));

test('a full disk fails the part, keeps what was there, and the next try goes through [S12]', async () => {
  const place = await stored(driver, plum, 2);
  leave(0);
  expect(await append(driver, place, 2, [event(2), big(3)])).toMatchObject({
    ok: false,
    error: { code: 'NOT_DURABLE', cause: { code: 'SQLITE_FULL' } },
  });
  expect(await outline(driver, plum)).toBe('0 1');
  leave(1000);
  await write(driver, place, 2, [event(2), big(3)]);
  expect(await records(driver, plum, 2)).toEqual([event(2), big(3)]);
  expect(place.lost.aborted).toBe(false);
});

test('a part that does not fit leaves the others of its batch alone [S12] [S21]', async () => {
  const [one, two] = [await stored(driver, plum, 1), await stored(driver, kiwi, 1)];
  leave(2);
  const results = await driver.append([
    { place: one, base: 1, events: [big(1)] },
    { place: two, base: 1, events: [event(1)] },
  ]);
  expect(results.map(({ ok }) => ok)).toEqual([false, true]);
  expect([await outline(driver, plum), await outline(driver, kiwi)]).toEqual(['0', '0 1']);
});

test('nothing of a part that fails in the middle stays, whatever becomes of the others [S12]', async () => {
  const [one, two] = [await stored(driver, plum, 1), await stored(driver, kiwi, 1)];
  // A failure that ends the statement alone.
  stage.raw((raw) =>
    raw.exec(`CREATE TRIGGER full BEFORE INSERT ON event WHEN NEW.json LIKE '%xxx%'
              BEGIN SELECT RAISE(ABORT, 'full'); END`),
  );
  const results = await driver.append([
    { place: one, base: 1, events: [event(1), big(2)] },
    { place: two, base: 1, events: [event(1)] },
  ]);
  expect(results.map(({ ok }) => ok)).toEqual([false, true]);
  expect([await outline(driver, plum), await outline(driver, kiwi)]).toEqual(['0', '0 1']);
});

test('where a batch fails as a whole, each part is tried by itself [S12] [S21]', async () => {
  const [one, two] = [await stored(driver, plum, 1), await stored(driver, kiwi, 1)];
  // A failure that ends the transaction, and not just the statement.
  stage.raw((raw) =>
    raw.exec(`CREATE TRIGGER full BEFORE INSERT ON event WHEN NEW.json LIKE '%xxx%'
              BEGIN SELECT RAISE(ROLLBACK, 'full'); END`),
  );
  const results = await driver.append([
    { place: two, base: 1, events: [event(1)] },
    { place: one, base: 1, events: [big(1)] },
  ]);
  expect(results.map(({ ok }) => ok)).toEqual([true, false]);
  expect([await outline(driver, plum), await outline(driver, kiwi)]).toEqual(['0', '0 1']);
});

test('a Session whose first batch found no room can be written later [S12] [S4]', async () => {
  await stored(driver, kiwi, 1);
  const place = await driver.take(plum, 'create', {});
  leave(0);
  expect(await append(driver, place, 0, [big(0)], headerText(plum))).toMatchObject({ ok: false });
  await expect(driver.head(plum, {})).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' });
  leave(1000);
  await write(driver, place, 0, [big(0)], headerText(plum));
  expect((await driver.head(plum, {})).length).toBe(1);
});

test('a store over it tells that durability was lost and restored, and a reload equals memory [S12]', async () => {
  const told: string[] = [];
  const store = await openSessionStore({ driver, onDiagnostic: ({ code }) => told.push(code) });
  const session = await store.create({ id: plum });
  const note = (text: string): unknown => session.append('fruit/note' as never, { text } as never);
  note('small');
  await store.flush(session);
  leave(0);
  note('x'.repeat(100_000));
  await expect(store.flush(session)).rejects.toMatchObject({ code: 'NOT_DURABLE' });
  expect(session.durableLength).toBe(1);
  note('more');
  leave(1000);
  await store.flush(session);
  expect(told).toEqual(['durability-lost', 'durability-restored']);
  expect(await outline(stage.driver(), plum)).toBe('0 1 2');
  await store[Symbol.asyncDispose]();
});

test('what many Sessions flush together is one commit, and a large batch is several [S11]', async () => {
  const place = await stored(driver, plum, 0);
  const others = await Promise.all(
    Array.from({ length: 50 }, (_, index) => stored(driver, `kiwi-${index}` as never, 1)),
  );
  const commits = (): number => Number(db.pragma('data_version', { simple: true }));
  const watcher = stage.driver({ onConnect: (connection) => (db = connection) });
  await watcher.head(plum, {});
  const before = commits();
  await driver.append(others.map((one) => ({ place: one, base: 1, events: events(1, 3) })));
  expect(commits() - before).toBe(1);
  let turns = 0;
  let over = false;
  const turning = (): void => {
    turns += 1;
    if (!over) setImmediate(turning);
  };
  setImmediate(turning);
  const parts = [{ place, base: 0, events: Array.from({ length: 25 }, (_, seq) => big(seq)) }];
  for (const one of others) parts.push({ place: one, base: 3, events: [big(3), big(4)] });
  const results = await driver.append(parts);
  over = true;
  expect(results.every(({ ok }) => ok)).toBe(true);
  expect(turns).toBeGreaterThan(1);
});
