import { readFile, writeFile } from 'node:fs/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { SessionDriver, StoredEvent } from '@deepseek-ai/dsh-session';
import {
  entries,
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

const run = (sql: string): void => {
  stage.raw((db) => db.exec(sql));
};

test('a byte that was changed in the file is found, and hides no other record [S16]', async () => {
  for (const seq of [0, 1, 2]) await stored(driver, id(`plum-${seq}`), 5);
  await stage.close();
  const bytes = await readFile(stage.path);
  const at = bytes.indexOf('"seq":3,');
  bytes.writeUInt8(bytes.readUInt8(at + 30) ^ 0x20, at + 30);
  await writeFile(stage.path, bytes);
  const next = stage.driver();
  const outlines = await Promise.all([0, 1, 2].map((seq) => outline(next, id(`plum-${seq}`))));
  expect(outlines.sort()).toEqual(['0 1 2 3 4', '0 1 2 3 4', '0 1 2 x 4']);
});

test('a damaged record is told with its seq, its bytes and its text [S16]', async () => {
  await stored(driver, plum, 3);
  flip(stage, plum, 1);
  const json = event(1).json.replace('time', 'timf');
  expect(await records(driver, plum, 1, 2)).toEqual([
    { kind: 'damaged', seq: 1, reason: 'its checksum does not fit', bytes: json.length, raw: json },
  ]);
});

test('a record that stands under another seq is damaged [S16]', async () => {
  await stored(driver, plum, 3);
  run('DELETE FROM event WHERE key & 3 = 1; UPDATE event SET key = key - 1 WHERE key & 3 = 2');
  expect(await outline(driver, plum)).toBe('0 x');
});

test('rows that are gone are told as one damage, and those behind them are there [S16]', async () => {
  await stored(driver, plum, 8);
  run('DELETE FROM event WHERE key & 15 BETWEEN 2 AND 4');
  expect(await outline(driver, plum)).toBe('0 1 x 5 6 7');
  expect(await records(driver, plum, 3, 4)).toEqual([
    { kind: 'damaged', seq: 3, reason: 'event 3 is missing', bytes: 0 },
  ]);
  expect((await driver.head(plum, {})).length).toBe(8);
});

test('a log that is gone is told as damage of those that share it [S16] [S23]', async () => {
  await stored(driver, plum, 3);
  const place = await driver.take(kiwi, 'create', { prefix: { session: plum, length: 3 } });
  await write(driver, place, 3, events(3, 5), headerText(kiwi));
  run('DELETE FROM log WHERE source IS NULL');
  run('DELETE FROM event WHERE key < 2 << 32');
  expect(await outline(driver, kiwi)).toBe('x 3 4');
});

/** Breaks the page that holds that event of `plum`, and gives what stood in it. */
async function breakPage(wide: readonly StoredEvent[], on = 100): Promise<readonly StoredEvent[]> {
  await stage.close();
  const bytes = await readFile(stage.path);
  const page = Math.floor(bytes.indexOf(`"seq":${on},`) / 4096) * 4096;
  const lost = wide.filter(({ seq }) => {
    const at = bytes.indexOf(`"seq":${seq},`);
    return at >= page && at < page + 4096;
  });
  bytes.fill(0xff, page, page + 16);
  await writeFile(stage.path, bytes);
  expect(lost.length).toBeGreaterThan(0);
  return lost;
}
const wide = Array.from({ length: 200 }, (_, seq) => event(seq, 'x'.repeat(500)));

test('a broken page of the table hides only what stands in it [S16]', async () => {
  await write(driver, await stored(driver, plum, 0), 0, wide);
  const lost = await breakPage(wide);
  const next = stage.driver();
  const found = (await records(next, plum)).filter(({ kind }) => kind === 'event');
  expect(found).toEqual(wide.filter((one) => !lost.includes(one)));
  expect((await next.head(plum, {})).length).toBe(200);
});

test('a broken page at the end of a log is told as one damage behind what can be read [S16] [S19]', async () => {
  await write(driver, await stored(driver, plum, 0), 0, wide);
  const lost = await breakPage(wide, 199);
  const next = stage.driver();
  const whole = wide.filter((one) => !lost.includes(one));
  const end = { kind: 'damaged', seq: whole.length, reason: `event ${whole.length} is missing`, bytes: 0 };
  expect(await records(next, plum)).toEqual([...whole, end]);
  expect((await next.head(plum, {})).length).toBe(whole.length + 1);
  await next.delete(plum, {});
  expect(await entries(next)).toEqual([]);
});

test('a log with a broken page is repaired, and its garbage hinders no other [S16]', async () => {
  await driver.release(await stored(driver, kiwi, 1));
  await write(driver, await stored(driver, plum, 0), 0, wide);
  const lost = await breakPage(wide);
  const told: string[] = [];
  const next = stage.driver({ onDiagnostic: ({ code }) => told.push(code) });
  const place = await next.take(plum, 'open', {});
  await next.repair(place, { substitute: (seq) => event(seq, 'substitute') });
  expect(await records(next, plum)).toEqual(
    wide.map((one) => (lost.includes(one) ? event(one.seq, 'substitute') : one)),
  );
  expect(told).toEqual(['garbage-left']);
  await next.delete(kiwi, {});
  expect(stage.raw((db) => db.prepare('SELECT log FROM garbage').pluck().all())).toEqual([2]);
});

test('a Session with a broken page can be deleted [S19]', async () => {
  await write(driver, await stored(driver, plum, 0), 0, wide);
  await breakPage(wide);
  const next = stage.driver();
  await next.delete(plum, {});
  expect(await entries(next)).toEqual([]);
  await stored(next, plum, 1);
});

test('a header whose checksum does not fit is a problem in its place, and can be deleted [S18] [S19]', async () => {
  await stored(driver, plum, 1);
  await driver.release(await stored(driver, kiwi, 1, { parentSession: plum }));
  run(`UPDATE session SET header = replace(header, 'kiwi', 'kivi')`);
  const problem = { kind: 'problem', id: kiwi, code: 'INVALID_HEADER', cursor: kiwi };
  expect((await entries(driver)).map(({ id: of }) => of)).toEqual([kiwi, plum]);
  expect(await entries(driver, { parent: plum })).toEqual([expect.objectContaining(problem)]);
  await expect(driver.head(kiwi, {})).rejects.toMatchObject({ code: 'INVALID_HEADER' });
  expect(await outline(driver, kiwi)).toBe('0');
  await driver.delete(kiwi, {});
  expect((await entries(driver)).map(({ id: of }) => of)).toEqual([plum]);
});

test('a broken page of headers is as many problems, and the rest is listed [S18]', async () => {
  const ids = Array.from({ length: 60 }, (_, index) => id(`plum-${String(index).padStart(2, '0')}`));
  for (const of of ids) await driver.release(await stored(driver, of, 0, { meta: 'x'.repeat(400) }));
  await stage.close();
  const bytes = await readFile(stage.path);
  const page = Math.floor(bytes.indexOf('"id":"plum-30"') / 4096) * 4096;
  bytes.fill(0xff, page, page + 16);
  await writeFile(stage.path, bytes);
  const listed = await entries(stage.driver());
  expect(listed.map((entry) => entry.id)).toEqual(ids);
  const problems = listed.filter(({ kind }) => kind === 'problem').length;
  expect(problems).toBeGreaterThan(3);
  expect(problems).toBeLessThan(15);
});
