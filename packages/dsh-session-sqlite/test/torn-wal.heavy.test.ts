import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { entries, event, events, outline, plum, records, stored, write } from '@dsh-internal/driver-testing';
import { createSqliteDriver } from '../src/driver.ts';
import { sqliteDriver } from '../src/index.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dsh-session-sqlite-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Every place where something changes, and some within the pages; with DSH_LONG_TESTS=1 every byte. */
const step = process.env['DSH_LONG_TESTS'] === '1' ? 1 : 97;
const FRAME = 24 + 4096;

test('a file cut at any byte of its last three commits loads, takes an append, and loads again [S15] [S14]', async () => {
  const path = join(folder, 'whole.sqlite');
  const first = sqliteDriver({ path, leaseMs: 1 });
  const place = await stored(first, plum, 5);
  const sizes: number[] = [];
  for (let seq = 5; seq < 8; seq += 1) {
    sizes.push((await readFile(`${path}-wal`)).length);
    await write(first, place, seq, events(seq, seq + 1));
  }
  const wal = await readFile(`${path}-wal`);
  const cut = join(folder, 'cut.sqlite');
  let cuts = 0;
  let before = 8;
  for (let end = wal.length; end >= sizes[0]!; end -= (end - 32) % FRAME <= 30 ? 1 : step) {
    await Promise.all(['-wal', '-shm'].map((name) => rm(cut + name, { force: true })));
    await copyFile(path, cut);
    await writeFile(`${cut}-wal`, wal.subarray(0, end));
    // SQLite may write the last frame of a commit twice, so that one copy is enough.
    const least = 5 + [...sizes.slice(1), wal.length].filter((size) => size <= end).length;
    const found = await expectWhole(cut);
    expect(found).toBeGreaterThanOrEqual(least);
    expect(found).toBeLessThanOrEqual(before);
    before = found;
    cuts += 1;
  }
  expect(cuts).toBeGreaterThan(100);
  expect(before).toBe(5);
  await first[Symbol.asyncDispose]();
}, 1_200_000);

/** Gives how many events were there. */
async function expectWhole(path: string): Promise<number> {
  const open = () => createSqliteDriver({ path, clock: later, leaseMs: 1 }, { synchronous: 'off' });
  const driver = open();
  const place = await driver.take(plum, 'open', {});
  const { length } = place;
  expect(await records(driver, plum)).toEqual(events(0, length));
  await write(driver, place, length, [event(length, 'next')]);
  await driver[Symbol.asyncDispose]();
  const again = open();
  expect(await records(again, plum, length)).toEqual([event(length, 'next')]);
  expect(await outline(again, plum)).not.toContain('x');
  expect(await entries(again)).toHaveLength(1);
  await again[Symbol.asyncDispose]();
  return length;
}

/** The first writer's lease has run out. */
const later = {
  now: () => Date.now() + 60_000,
  timer: () => ({ dispose: () => undefined, [Symbol.dispose]: () => undefined }),
};
