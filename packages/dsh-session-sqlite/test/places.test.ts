import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  append,
  codeOf,
  entries,
  event,
  events,
  id,
  kiwi,
  plum,
  records,
  stored,
} from '@dsh-internal/driver-testing';
import { leaseMs, openStage, type Stage } from './support/stage.ts';

let stage: Stage;
beforeEach(async () => {
  stage = await openStage();
});
afterEach(() => stage.dispose());

const count = (table: string): unknown =>
  stage.raw((db) => db.prepare(`SELECT count(*) FROM ${table}`).pluck().get());

test('a holder on another machine is taken over only when its lease ran out [S20]', async () => {
  await stored(stage.driver({ host: 'there' }), plum, 1);
  stage.crash();
  const driver = stage.driver();
  await expect(driver.take(plum, 'open', {})).rejects.toMatchObject({
    code: 'SESSION_LOCKED',
    holder: { host: 'there' },
    message: expect.stringMatching(/plum was not taken: held by process \d+ on there, since 20/) as string,
  });
  stage.sleep(leaseMs + 1);
  expect((await driver.take(plum, 'open', {})).takenOver).toMatchObject({ host: 'there' });
});

test('a sign of life renews the lease of every place of its writer [S20]', async () => {
  const one = stage.driver();
  await stored(one, plum, 1);
  await stored(one, kiwi, 1);
  const other = stage.driver();
  for (let time = 0; time < 3; time += 1) {
    stage.sleep(leaseMs - 1);
    await stage.beat();
    await expect(other.take(plum, 'open', {})).rejects.toMatchObject({ code: 'SESSION_LOCKED' });
    await expect(other.take(kiwi, 'open', {})).rejects.toMatchObject({ code: 'SESSION_LOCKED' });
  }
});

test('no timer runs while no place is held [S20]', async () => {
  const driver = stage.driver();
  const place = await stored(driver, plum, 1);
  await driver.release(place);
  await expect(driver.take(id('lime'), 'open', {})).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' });
  const seen = stage.raw((db) => db.prepare('SELECT seen FROM writer').pluck().get());
  stage.sleep(1000);
  await stage.beat();
  expect(stage.raw((db) => db.prepare('SELECT seen FROM writer').pluck().get())).toBe(seen);
});

test('a sign of life that fails is told, and the next one is tried [S20]', async () => {
  const told: string[] = [];
  const driver = stage.driver({ onDiagnostic: ({ code }) => told.push(code) });
  await stored(driver, plum, 1);
  stage.raw((db) => db.exec('ALTER TABLE writer RENAME TO gone'));
  await stage.beat();
  expect(told).toEqual(['lease-not-renewed']);
  stage.raw((db) => db.exec('ALTER TABLE gone RENAME TO writer'));
  stage.sleep(leaseMs - 1);
  await stage.beat();
  expect(told).toHaveLength(1);
  stage.sleep(leaseMs - 1);
  await expect(stage.driver().take(plum, 'open', {})).rejects.toMatchObject({ code: 'SESSION_LOCKED' });
});

test('an idle writer that slept past its lease hears at its next sign of life what it lost [S21]', async () => {
  const one = stage.driver();
  const [lost, kept] = [await stored(one, plum, 1), await stored(one, kiwi, 1)];
  stage.sleep(leaseMs + 1);
  await stage.driver().take(plum, 'open', {});
  expect(lost.lost.aborted).toBe(false);
  await stage.beat();
  expect(lost.lost.aborted).toBe(true);
  expect(lost.lost.reason).toMatchObject({ code: 'FENCED' });
  expect(kept.lost.aborted).toBe(false);
});

test('a refused late writer is told who holds the place now [S21]', async () => {
  const [one, two] = [stage.driver(), stage.driver({ host: 'there' })];
  const late = await stored(one, plum, 1);
  stage.sleep(leaseMs + 1);
  await two.take(plum, 'open', {});
  const result = await append(one, late, 1, events(1, 2));
  expect(result).toMatchObject({ ok: false, error: { code: 'FENCED', holder: { host: 'there' } } });
});

test('a repair that was overtaken changes nothing [S16] [S21]', async () => {
  const one = stage.driver();
  const late = await stored(one, plum, 3);
  stage.raw((db) => db.exec("UPDATE event SET json = 'x' WHERE key & 3 = 1"));
  stage.sleep(leaseMs + 1);
  await stage.driver().take(plum, 'open', {});
  await expect(one.repair(late, { substitute: (seq) => event(seq) })).rejects.toMatchObject({
    code: 'FENCED',
  });
  expect(late.lost.aborted).toBe(true);
  expect((await records(one, plum)).map(({ kind }) => kind)).toEqual(['event', 'damaged', 'event']);
});

test('what a dead creator left goes when the next process takes a place, its hold on a source too [S4]', async () => {
  const first = stage.driver();
  await first.release(await stored(first, plum, 5));
  await first.take(kiwi, 'create', { prefix: { session: plum, length: 5 } });
  await first.delete(plum, {});
  expect(count('event')).toBe(5);
  stage.crash();
  const next = stage.driver();
  await next.take(id('lime'), 'create', {});
  expect([count('event'), count('place'), count('log'), count('writer')]).toEqual([0, 1, 1, 1]);
  expect(await entries(next)).toEqual([]);
});

test('the place of a dead writer of a stored Session stays until it is taken over [S20]', async () => {
  await stored(stage.driver(), plum, 1);
  stage.crash();
  const next = stage.driver();
  await next.take(kiwi, 'create', {});
  expect((await next.take(plum, 'open', {})).takenOver?.pid).toBe(1001);
});

test('a Session that a dead writer held is deleted with its log and its place [S19] [S20]', async () => {
  await stored(stage.driver(), plum, 3);
  stage.crash();
  await stage.driver().delete(plum, {});
  expect([count('event'), count('log'), count('place')]).toEqual([0, 0, 0]);
});

test('a giving back that fails is tried again at the next sign of life [S11] [S20]', async () => {
  const one = stage.driver();
  const place = await stored(one, plum, 1);
  stage.raw((db) =>
    db.exec("CREATE TRIGGER full BEFORE DELETE ON place BEGIN SELECT RAISE(FAIL, 'full'); END"),
  );
  await expect(one.release(place)).rejects.toThrow('full');
  stage.raw((db) => db.exec('DROP TRIGGER full'));
  await expect(stage.driver().take(plum, 'open', {})).rejects.toMatchObject({ code: 'SESSION_LOCKED' });
  await stage.beat();
  expect((await stage.driver().take(plum, 'open', {})).takenOver).toBeUndefined();
});

test('disposing gives everything back, once, and refuses what comes later [S30]', async () => {
  const driver = stage.driver();
  const place = await stored(driver, plum, 1);
  await driver.take(kiwi, 'create', {});
  await Promise.all([driver[Symbol.asyncDispose](), driver[Symbol.asyncDispose]()]);
  await driver[Symbol.asyncDispose]();
  expect([count('place'), count('writer'), count('log')]).toEqual([0, 0, 1]);
  expect(await codeOf(append(driver, place, 1, events(1, 2)))).toBe('FENCED');
  await expect(driver.take(plum, 'open', {})).rejects.toMatchObject({ code: 'STORE_CLOSED' });
  await expect(driver.head(plum, {})).rejects.toMatchObject({ code: 'STORE_CLOSED' });
  await expect(driver.delete(plum, {})).rejects.toMatchObject({ code: 'STORE_CLOSED' });
});

test('a place that is being taken while the driver is disposed of is given back [S30]', async () => {
  const driver = stage.driver();
  const [taking] = await Promise.allSettled([driver.take(plum, 'create', {}), driver[Symbol.asyncDispose]()]);
  expect(taking.status).toBe('fulfilled');
  expect(count('place')).toBe(0);
});

test.each([
  ['before what it found when it was taken', 1, events(1, 2), 'INVALID_SEQUENCE'],
  ['behind the end', 3, events(3, 4), 'INVALID_SEQUENCE'],
  ['with a gap', 2, [event(2), event(4)], 'INVALID_SEQUENCE'],
  ['at the end', 2, events(2, 4), 'ok'],
])('a batch %s is answered as it should [S12]', async (_, base, list, code) => {
  const driver = stage.driver();
  await driver.release(await stored(driver, plum, 2));
  const place = await driver.take(plum, 'open', {});
  expect(await codeOf(append(driver, place, base, list))).toBe(code);
  expect((await driver.head(plum, {})).length).toBe(code === 'ok' ? 4 : 2);
});

test('a first batch needs a header, and a later place takes none [S2]', async () => {
  const driver = stage.driver();
  const place = await driver.take(plum, 'create', {});
  expect(await codeOf(append(driver, place, 0, events(0, 1)))).toBe('INVALID_HEADER');
  await stored(driver, kiwi, 1);
  stage.crash();
  const next = stage.driver();
  const other = await next.take(kiwi, 'open', {});
  expect(await codeOf(append(next, other, 1, events(1, 2), '{}'))).toBe('INVALID_HEADER');
});
