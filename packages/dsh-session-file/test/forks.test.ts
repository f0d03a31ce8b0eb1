import { stat } from 'node:fs/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { SessionDriver, SessionId, WriterPlace } from '@deepseek-ai/dsh-session';
import {
  append,
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
import { errno, faultyFiles, noFaults } from './support/faulty-files.ts';
import { openStage, type Stage } from './support/stage.ts';

vi.setConfig({ testTimeout: 60_000 });

let stage: Stage;
let driver: SessionDriver;
beforeEach(async () => {
  stage = await openStage();
  driver = stage.driver();
});
afterEach(() => stage.dispose());

async function fork(
  by: SessionDriver,
  of: SessionId,
  source: SessionId,
  length: number,
): Promise<WriterPlace> {
  const place = await by.take(of, 'create', { prefix: { session: source, length } });
  await write(by, place, length, [event(length, 'fork')], headerText(of));
  return place;
}
const count = (to: number): string => Array.from({ length: to }, (_, seq) => seq).join(' ');

test('a prefix is the same bytes under a second name, and stays when its source goes [S23]', async () => {
  await driver.release(await stored(driver, plum, 4));
  await driver.release(await fork(driver, kiwi, plum, 3));
  const [link, source] = [stage.file(kiwi, 'prefix-00000000.jsonl'), stage.file(plum, 'log-00000001.jsonl')];
  expect((await stat(link)).ino).toBe((await stat(source)).ino);
  await driver.delete(plum, {});
  stage.crash();
  expect(await outline(stage.driver(), kiwi)).toBe(count(4));
});

test('what the source writes later is not in the fork [S23]', async () => {
  const source = await stored(driver, plum, 3);
  await driver.release(await fork(driver, kiwi, plum, 3));
  await write(driver, source, 3, events(3, 9));
  expect((await records(driver, kiwi)).at(-1)).toEqual(event(3, 'fork'));
  expect(await outline(driver, kiwi)).toBe(count(4));
});

test('every length of a source of several files can be forked, and forks of that again [S22 S23]', async () => {
  await stored(driver, plum, 3);
  for (const length of [3, 5, 7]) {
    stage.crash();
    driver = stage.driver();
    await write(driver, await driver.take(plum, 'open', {}), length, events(length, length + 2));
  }
  for (let length = 1; length <= 9; length += 1) {
    const first = id(`first-${length}`);
    await driver.release(await fork(driver, first, plum, length));
    expect(await outline(driver, first)).toBe(count(length + 1));
    for (let inner = 1; inner <= length + 1; inner += 1) {
      const second = id(`second-${length}-${inner}`);
      await driver.release(await fork(driver, second, first, inner));
      expect(await outline(driver, second)).toBe(count(inner + 1));
      for (let from = 0; from <= inner; from += 2) {
        expect((await records(driver, second, from, from + 2)).map(({ seq }) => seq)).toEqual(
          [from, from + 1].filter((seq) => seq <= inner),
        );
      }
    }
  }
});

test.each(['EXDEV', 'EMLINK', 'EPERM'])(
  'where linking fails with %s, the prefix is a copy [S23]',
  async (code) => {
    const faults = noFaults();
    faults.before = (method, path) => {
      if (method === 'link' && path.includes('prefix-')) throw errno(code);
    };
    const other = stage.driver({ files: faultyFiles(faults) });
    await other.release(await stored(other, plum, 4));
    await other.release(await fork(other, kiwi, plum, 2));
    await other.delete(plum, {});
    expect(await outline(other, kiwi)).toBe(count(3));
  },
);

test('a prefix that cannot be had leaves nothing behind [S4 S22]', async () => {
  const faults = noFaults();
  faults.before = (method, path) => {
    if (method === 'put' && path.endsWith('prefix.json')) throw errno('ENOSPC');
  };
  const other = stage.driver({ files: faultyFiles(faults) });
  await other.release(await stored(other, plum, 4));
  await expect(other.take(kiwi, 'create', { prefix: { session: plum, length: 2 } })).rejects.toThrow(
    'ENOSPC',
  );
  expect(await stage.names(kiwi)).toEqual([]);
  await expect(other.take(kiwi, 'create', { prefix: { session: plum, length: 5 } })).rejects.toMatchObject({
    code: 'INVALID_PREFIX',
  });
  expect(await stage.names(kiwi)).toEqual([]);
});

test('a fork costs the same however long its prefix is [S23]', async () => {
  const lengths = [10, 20_000];
  const written = [];
  for (const length of lengths) {
    const source = id(`source-${length}`);
    await driver.release(await stored(driver, source, length));
    let bytes = 0;
    const faults = noFaults();
    const files = faultyFiles(faults);
    const counting = stage.driver({
      files: {
        ...files,
        async openRead(path) {
          const file = await files.openRead(path);
          if (file === undefined) return undefined;
          return {
            ...file,
            async read(into, at) {
              const got = await file.read(into, at);
              bytes += got;
              return got;
            },
          };
        },
      },
    });
    await counting.release(await fork(counting, id(`fork-${length}`), source, length - 3));
    written.push(bytes);
  }
  expect(written[1]).toBeLessThan(12 * 1024);
});

test('a fork that failed half way goes on in its own file [S12 S23]', async () => {
  const faults = noFaults();
  const other = stage.driver({ files: faultyFiles(faults) });
  await other.release(await stored(other, plum, 4));
  const place = await fork(other, kiwi, plum, 4);
  faults.space = 25;
  await append(other, place, 5, [event(5)]);
  faults.space = Infinity;
  await write(other, place, 5, [event(5)]);
  expect(await outline(other, kiwi)).toBe(count(6));
  expect(await outline(other, plum)).toBe(count(4));
});
