import { existsSync, lstatSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  entries,
  events,
  headerText,
  id,
  kiwi,
  plum,
  records,
  stored,
  write,
} from '@dsh-internal/driver-testing';
import { sqliteDriver } from '../src/index.ts';
import { openStage, type Stage } from './support/stage.ts';

let stage: Stage;
beforeEach(async () => {
  stage = await openStage();
});
afterEach(() => stage.dispose());

test('nothing is made before a place is taken, and looking makes nothing [S18]', async () => {
  const driver = stage.driver();
  expect(await entries(driver)).toEqual([]);
  await expect(driver.head(plum, {})).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' });
  await expect(records(driver, plum)).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' });
  await expect(driver.delete(plum, {})).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' });
  await driver[Symbol.asyncDispose]();
  expect(existsSync(dirname(stage.path))).toBe(false);
});

test('an empty file is an empty store [S18]', async () => {
  mkdirSync(dirname(stage.path), { recursive: true });
  writeFileSync(stage.path, '');
  const driver = stage.driver();
  expect(await entries(driver)).toEqual([]);
  await stored(driver, plum, 1);
});

test.each(['000', '077'])('everything is for its owner alone, under the umask %s [S28]', async (umask) => {
  const before = process.umask(Number.parseInt(umask, 8));
  try {
    const driver = stage.driver();
    await stored(driver, plum, 1);
    const folder = dirname(stage.path);
    const names = readdirSync(folder);
    expect(names.sort()).toEqual([
      'sessions.sqlite',
      'sessions.sqlite-reserve',
      'sessions.sqlite-shm',
      'sessions.sqlite-wal',
    ]);
    for (const name of names) expect((lstatSync(join(folder, name)).mode & 0o777).toString(8)).toBe('600');
    expect((lstatSync(folder).mode & 0o777).toString(8)).toBe('700');
  } finally {
    process.umask(before);
  }
});

test('some other database is refused, and left as it is [S2]', async () => {
  mkdirSync(dirname(stage.path), { recursive: true });
  stage.raw((db) => db.exec('CREATE TABLE fruit (name TEXT)'));
  const driver = stage.driver();
  await expect(entries(driver)).rejects.toMatchObject({ code: 'INCOMPATIBLE' });
  await expect(driver.take(plum, 'create', {})).rejects.toMatchObject({ code: 'INCOMPATIBLE' });
  expect(stage.raw((db) => db.pragma('journal_mode', { simple: true }))).toBe('delete');
});

test('a file of a newer version is refused with both versions [S2]', async () => {
  const first = stage.driver();
  await stored(first, plum, 1);
  await stage.close();
  stage.raw((db) => db.pragma('user_version = 2'));
  await expect(entries(stage.driver())).rejects.toThrow(/of version 2, and this package knows 1/);
});

test('a durable write waits for the device, and the giving back of a place does not [S11] [S14]', async () => {
  let db: Database.Database | undefined;
  const level = (): unknown => db?.pragma('synchronous', { simple: true });
  const driver = stage.driver({ synchronous: 'full', onConnect: (connection) => (db = connection) });
  const place = await driver.take(plum, 'create', {});
  expect(level()).toBe(1);
  await write(driver, place, 0, events(0, 1), headerText(plum));
  expect(level()).toBe(2);
  await driver.release(place);
  expect(level()).toBe(1);
  await driver.delete(plum, {});
  await driver.take(kiwi, 'create', {});
  expect(db?.pragma('journal_mode', { simple: true })).toBe('wal');
});

test('a store that is closed in order is one file, and a reserve that can be left behind [S30]', async () => {
  await stored(stage.driver(), plum, 3);
  await stage.close();
  expect(readdirSync(dirname(stage.path)).sort()).toEqual(['sessions.sqlite', 'sessions.sqlite-reserve']);
  rmSync(`${stage.path}-reserve`);
  expect(await records(stage.driver(), plum)).toEqual(events(0, 3));
});

test('a path that SQLite would not take as it is, is refused', () => {
  expect(() => sqliteDriver({ path: '/tmp/store ' })).toThrow(TypeError);
});

test('ids that look like paths stay inside the file [S1]', async () => {
  const driver = stage.driver();
  for (const text of ['../x', 'a/b', ':memory:', '%_', "'; DROP TABLE session; --"]) {
    await driver.release(await stored(driver, id(text), 1));
    await driver.delete(id(text), {});
  }
  await stored(driver, kiwi, 1);
  expect(await entries(driver)).toHaveLength(1);
});

test('people can look into the file with any SQLite [S15]', async () => {
  await stored(stage.driver(), plum, 2);
  const seen = stage.raw((db) =>
    db.prepare("SELECT seq, json ->> '$.type' FROM own_event WHERE session = 'plum'").raw().all(),
  );
  expect(seen).toEqual([
    [0, 'fruit/note'],
    [1, 'fruit/note'],
  ]);
});
