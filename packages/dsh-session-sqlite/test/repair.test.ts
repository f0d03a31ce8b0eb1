import { afterEach, beforeEach, expect, test } from 'vitest';
import type { SessionDriver, StoredEvent } from '@deepseek-ai/dsh-session';
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
import { flip } from './support/medium.ts';
import { openStage, type Stage } from './support/stage.ts';

let stage: Stage;
let driver: SessionDriver;
beforeEach(async () => {
  stage = await openStage();
  driver = stage.driver();
});
afterEach(() => stage.dispose());

const substitute = (seq: number): StoredEvent => event(seq, 'substitute');
const rows = (sql: string): unknown => stage.raw((db) => db.prepare(sql).raw().all());

test('sets the damaged bytes aside, and what stands before the first damage is not written again [S16]', async () => {
  const place = await stored(driver, plum, 6);
  flip(stage, plum, 3);
  await driver.repair(place, { substitute });
  expect(await records(driver, plum)).toEqual([...events(0, 3), substitute(3), ...events(4, 6)]);
  const json = event(3).json.replace('time', 'timf');
  expect(rows('SELECT seq, reason, CAST(bytes AS TEXT) FROM aside')).toEqual([
    [3, 'its checksum does not fit', json],
  ]);
  expect(rows('SELECT key >> 32, count(*) FROM event GROUP BY 1')).toEqual([
    [1, 3],
    [2, 3],
  ]);
  await write(driver, place, 6, events(6, 7));
  expect(await outline(driver, plum)).toBe('0 1 2 3 4 5 6');
});

test('a log that is whole is left as it is [S16]', async () => {
  const place = await stored(driver, plum, 3);
  await driver.repair(place, { substitute });
  expect(rows('SELECT id FROM log')).toEqual([[1]]);
});

test('rows that are gone are filled, and an end that is gone is cut off [S16]', async () => {
  const place = await stored(driver, plum, 8);
  stage.raw((db) => db.exec('DELETE FROM event WHERE key & 15 IN (1, 2)'));
  flip(stage, plum, 7);
  await driver.repair(place, { substitute });
  expect(await records(driver, plum)).toEqual([event(0), substitute(1), substitute(2), ...events(3, 7)]);
  expect(rows('SELECT seq, bytes IS NULL FROM aside')).toEqual([
    [1, 1],
    [7, 0],
  ]);
  await write(driver, place, 7, events(7, 8));
});

test('damage within what is inherited is mended for this Session alone [S16] [S23]', async () => {
  await stored(driver, plum, 4);
  const place = await driver.take(kiwi, 'create', { prefix: { session: plum, length: 4 } });
  await write(driver, place, 4, events(4, 6), headerText(kiwi));
  flip(stage, plum, 2);
  await driver.repair(place, { substitute });
  expect(await records(driver, kiwi)).toEqual([...events(0, 2), substitute(2), ...events(3, 6)]);
  expect(await outline(driver, plum)).toBe('0 1 x 3');
  expect((await driver.head(kiwi, {})).start).toEqual(events(4, 6));
});

test('what is inherited never ends before the own events begin [S16] [S23]', async () => {
  await stored(driver, plum, 4);
  const place = await driver.take(kiwi, 'create', { prefix: { session: plum, length: 4 } });
  await write(driver, place, 4, [], headerText(kiwi));
  flip(stage, plum, 3);
  await driver.repair(place, { substitute });
  expect(await records(driver, kiwi)).toEqual([...events(0, 3), substitute(3)]);
  await write(driver, place, 4, events(4, 5));
});

test('a long log is repaired in steps, and others write in between [S16]', async () => {
  const place = await stored(driver, plum, 0);
  await write(driver, place, 0, events(0, 3000));
  flip(stage, plum, 10);
  const other = stage.driver();
  const its = await stored(other, kiwi, 0);
  const run = { over: false };
  const repairing = driver.repair(place, { substitute }).then(() => (run.over = true));
  let written = 0;
  while (!run.over) {
    await write(other, its, written, events(written, written + 1));
    written += 1;
  }
  await repairing;
  expect(written).toBeGreaterThan(10);
  const mended = await records(driver, plum);
  expect(mended).toHaveLength(3000);
  expect(mended[10]).toEqual(substitute(10));
});

test('a reader sees the log before a repair or after it, and the end of neither [S16] [S20]', async () => {
  const place = await stored(driver, plum, 0);
  await write(driver, place, 0, events(0, 600));
  flip(stage, plum, 400);
  const reading = driver.read(plum, { from: 0 })[Symbol.asyncIterator]();
  await reading.next();
  await driver.repair(place, { substitute });
  const rest = [];
  for (let next = await reading.next(); next.done !== true; next = await reading.next())
    rest.push(...next.value);
  expect(rest.map(({ seq }) => seq)).toEqual(Array.from({ length: 344 }, (_, index) => 256 + index));
  expect(rest[144]).toEqual(substitute(400));
});

test('a reader of a Session that is deleted and made again under it gets no mixture [S19] [S20]', async () => {
  await driver.release(await stored(driver, plum, 600));
  const reading = driver.read(plum, { from: 0 })[Symbol.asyncIterator]();
  await reading.next();
  await driver.delete(plum, {});
  await stored(driver, plum, 600, { createdAt: 2 });
  await expect(reading.next()).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' });
});

test.each(['a substitute that throws', 'a signal that aborts'])(
  '%s leaves the log as it was, and nothing else [S16]',
  async (what) => {
    const place = await stored(driver, plum, 3);
    flip(stage, plum, 1);
    const controller = new AbortController();
    const failing = driver.repair(place, {
      signal: controller.signal,
      substitute: (seq) => {
        if (what === 'a signal that aborts') controller.abort(new Error('on purpose'));
        else throw new Error('on purpose');
        return substitute(seq);
      },
    });
    await expect(failing).rejects.toThrow('on purpose');
    expect(await outline(driver, plum)).toBe('0 x 2');
    expect(rows('SELECT (SELECT count(*) FROM log), (SELECT count(*) FROM aside)')).toEqual([[1, 0]]);
    await driver.repair(place, { substitute });
    expect(await outline(driver, plum)).toBe('0 1 2');
  },
);

test('what a repair that was killed had written goes with the next holder [S16] [S20]', async () => {
  await stored(driver, plum, 3);
  stage.raw((db) => {
    db.exec('INSERT INTO log (source, start) VALUES (1, 1)');
    db.exec("INSERT INTO event VALUES (2 << 32 | 1, 0, '{}'); INSERT INTO aside VALUES (2, 1, '', NULL)");
    db.exec('UPDATE place SET draft = 2');
  });
  stage.crash();
  await stage.driver().take(plum, 'open', {});
  expect(rows('SELECT (SELECT count(*) FROM log), (SELECT count(*) FROM aside)')).toEqual([[1, 0]]);
  expect(rows('SELECT count(*) FROM event')).toEqual([[3]]);
});

test('what was set aside goes with its Session [S19]', async () => {
  const place = await stored(driver, plum, 3);
  await stored(driver, id('lime'), 1);
  flip(stage, plum, 1);
  await driver.repair(place, { substitute });
  await driver.release(place);
  await driver.delete(plum, {});
  expect(rows('SELECT count(*) FROM aside')).toEqual([[0]]);
  expect(rows('SELECT count(*) FROM event')).toEqual([[1]]);
});
