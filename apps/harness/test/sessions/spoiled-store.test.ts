/** What can still be done from the command line with a store after a crash, and after a hand was at it. */
import { mkdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { storeDrivers, type StoreDriver } from '../../src/plugins/store-driver.ts';
import { dsh, scenarioFile, spawnDsh, temporaryFolder, type Ended } from '../command-line.ts';
import { jsonLines } from '../stable-transcript.ts';

interface Spoiled {
  readonly store: string;
  readonly id: string;
}
type Hand = (at: Spoiled) => void;

const sessions = (store: string, ...args: readonly string[]): Promise<Ended> =>
  dsh(['sessions', ...args, '--store', store]);

async function listed(store: string): Promise<readonly string[]> {
  const { code, err, out } = await sessions(store, 'list', '--all', '--json');
  expect([code, err]).toEqual([0, '']);
  return out === '' ? [] : jsonLines(out).map(({ id }) => String(id));
}

/** Done, or refused in one line. A check that finds damage says it, and ends with 1. */
async function tried(store: string, ...args: readonly string[]): Promise<boolean> {
  const { code, out, err } = await sessions(store, ...args);
  expect(out + err).not.toContain('\u0007');
  const damage = args[0] === 'verify' && / [1-9]\d* damaged\n/.test(out);
  if (code === 0 || damage) expect(err).toBe('');
  else expect(err).toMatch(/^dsh: [^\n]+\n$/);
  return code === 0;
}

async function whole(store: string, id: string): Promise<void> {
  const { code, out } = await sessions(store, 'verify', id);
  expect([code, out]).toEqual([0, expect.stringMatching(/^\d+ events, 0 damaged\n$/)]);
}

async function waiting(store: string, driver: StoreDriver): Promise<string> {
  const run = ['run', '--scenario', scenarioFile('waiting'), '--json'];
  const { out } = await dsh([...run, '--store', store, '--driver', driver]);
  return (jsonLines(out)[0] as unknown as { readonly root: string }).root;
}

describe.each(storeDrivers)('a %s store', (driver) => {
  it('is listed, verified, repaired, exported and deleted after a crash [H7 S17 S19]', async () => {
    using folder = temporaryFolder();
    const store = folder.path;
    const killed = await spawnDsh([
      ...['run', '--scenario', scenarioFile('killed'), '--json'],
      ...['--store', store, '--driver', driver],
    ]).ended;
    expect(killed.code).toBeNull();
    const ids = await listed(store);
    expect(ids).toHaveLength(2);
    for (const id of ids) {
      await whole(store, id);
      const before = (await sessions(store, 'export', id)).out;
      expect(before.trim().split('\n').length).toBeGreaterThan(3);
      expect((await sessions(store, 'repair', id)).out).toMatch(/^\d+ events, 0 damaged ones set aside\n$/);
      expect((await sessions(store, 'export', id)).out).toBe(before);
    }
    const [{ root } = { root: '' }] = jsonLines(killed.out) as unknown as { readonly root: string }[];
    expect(await tried(store, 'delete-tree', root)).toBe(true);
    expect(await listed(store)).toEqual([]);
  });
});

const file =
  (name: string, change: (path: string) => void): Hand =>
  ({ store, id }) => {
    change(join(store, 'sessions', id, name));
  };
const log = 'log-00000001.jsonl';
const rewrite = (path: string, to: (text: string) => string): void => {
  writeFileSync(path, to(readFileSync(path, 'utf8')));
};

const sql =
  (text: string): Hand =>
  ({ store, id }) => {
    const db = new DatabaseSync(join(store, 'sessions.sqlite'));
    const { changes } = db.prepare(text).run(id);
    db.close();
    expect(changes).toBeGreaterThan(0);
  };
const ofLog = '(SELECT log FROM session WHERE id = ?) << 32';

/** What a hand does, and whether a repair makes a Session of it that is whole. */
const hands: Readonly<Record<StoreDriver, Readonly<Record<string, readonly [mendable: boolean, Hand]>>>> = {
  file: {
    'a changed letter': [
      true,
      file(log, (path) => {
        rewrite(path, (text) => text.replace('"seq":2', '"seq":7'));
      }),
    ],
    'half a log': [
      true,
      file(log, (path) => {
        truncateSync(path, Math.floor(statSync(path).size / 2));
      }),
    ],
    'an empty log': [
      true,
      file(log, (path) => {
        writeFileSync(path, '');
      }),
    ],
    'a log of zeros': [
      true,
      file(log, (path) => {
        writeFileSync(path, Buffer.alloc(4000));
      }),
    ],
    'no log': [true, file(log, rmSync)],
    'a header that is none': [
      false,
      file('header.json', (path) => {
        writeFileSync(path, '\u0007pears');
      }),
    ],
    'a header of later times': [
      false,
      file('header.json', (path) => {
        rewrite(path, (text) => text.replace('"version":1', '"version":9'));
      }),
    ],
    'a folder as header': [
      false,
      file('header.json', (path) => {
        rmSync(path);
        mkdirSync(path);
      }),
    ],
    'a file in the place of the folder': [
      false,
      file('', (path) => {
        rmSync(path, { recursive: true });
        writeFileSync(path, '');
      }),
    ],
  },
  sqlite: {
    'a changed letter': [
      true,
      sql(`UPDATE event SET json = replace(json, '"seq":', '"sep":') WHERE key = ${ofLog} | 2`),
    ],
    'a row that is gone': [true, sql(`DELETE FROM event WHERE key = ${ofLog} | 2`)],
    'an empty log': [true, sql('DELETE FROM event WHERE key >> 32 = (SELECT log FROM session WHERE id = ?)')],
    'a row that is no JSON': [
      true,
      sql(`UPDATE event SET json = char(7) || 'pears' WHERE key = ${ofLog} | 1`),
    ],
    'a log that is gone': [true, sql('DELETE FROM log WHERE id = (SELECT log FROM session WHERE id = ?)')],
    'a log that is none': [true, sql('UPDATE session SET log = 999999 WHERE id = ?')],
    'a header that is none': [false, sql("UPDATE session SET header = char(7) || 'pears' WHERE id = ?")],
    'a seed that lies behind the end': [true, sql('UPDATE session SET own = 999 WHERE id = ?')],
  },
};

for (const driver of storeDrivers)
  describe(`a ${driver} store with a Session that a hand has spoiled`, () => {
    it.each(Object.entries(hands[driver]))(
      'is listed whole; the Session is told, mended where it can be, and deleted: %s [H7 S16 S18 S19]',
      async (_what, [mendable, spoil]) => {
        using folder = temporaryFolder();
        const store = folder.path;
        const id = await waiting(store, driver);
        const other = await waiting(store, driver);
        const before = await listed(store);
        spoil({ store, id });
        expect(await listed(store)).toHaveLength(before.length);
        for (const look of ['verify', 'show', 'export']) await tried(store, look, id);
        expect(await tried(store, 'repair', id)).toBe(mendable);
        if (mendable) await whole(store, id);
        await whole(store, other);
        expect(await tried(store, 'delete', id, '--keep-children')).toBe(true);
        expect(await listed(store)).toEqual(before.filter((one) => one !== id));
        await whole(store, other);
      },
    );
  });

it('tells a broken page at the end of a sqlite store as damage, and deletes what stood on it [H7 S16 S19]', async () => {
  using folder = temporaryFolder();
  const store = folder.path;
  const id = await waiting(store, 'sqlite');
  const path = join(store, 'sessions.sqlite');
  const bytes = readFileSync(path);
  const at = bytes.indexOf('"turn/start"');
  bytes.fill(0xff, at - (at % 4096), at - (at % 4096) + 100);
  writeFileSync(path, bytes);
  expect(await listed(store)).toContain(id);
  for (const look of ['show', 'export']) expect(await tried(store, look, id)).toBe(true);
  expect((await sessions(store, 'verify', id)).out).toMatch(/^\d+ events, 1 damaged\n/);
  // What is new would have to stand on that page.
  expect(await tried(store, 'repair', id)).toBe(false);
  expect(await tried(store, 'delete-tree', id)).toBe(true);
  expect(await listed(store)).not.toContain(id);
});
