import { readFile, readdir, stat, writeFile } from 'node:fs/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { StoredEvent } from '@deepseek-ai/dsh-session';
import {
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
import type { FilePort } from '../src/file-port.ts';
import { nodeFiles } from '../src/node-files.ts';
import { errno, faultyFiles, noFaults } from './support/faulty-files.ts';
import { leaseMs, logFiles, openStage, type Stage } from './support/stage.ts';

let stage: Stage;
beforeEach(async () => {
  stage = await openStage();
});
afterEach(() => stage.dispose());

const substitute = (seq: number): StoredEvent => event(seq, 'substitute');

async function breakRecord(path: string, seq: number): Promise<string> {
  const bytes = await readFile(path);
  const at = bytes.indexOf(`"seq":${seq},`);
  bytes.writeUInt8(0x21, at + 3);
  await writeFile(path, bytes);
  const start = bytes.lastIndexOf(0x0a, at) + 1;
  return bytes.toString('utf8', start, bytes.indexOf(0x0a, at) + 1);
}

/** Five events in two files, 1 and 4 damaged. */
async function brokenLog(): Promise<readonly string[]> {
  await stored(stage.driver(), plum, 3);
  stage.crash();
  const driver = stage.driver();
  const place = await driver.take(plum, 'open', {});
  await write(driver, place, 3, events(3, 5));
  await driver.release(place);
  const [one, two] = await logFiles(stage, plum);
  return [await breakRecord(one!, 1), await breakRecord(two!, 4)];
}

test('sets the damaged bytes aside, fills their place and drops what is damaged at the end [S16]', async () => {
  const broken = await brokenLog();
  const driver = stage.driver();
  expect(await outline(driver, plum)).toBe('0 x 2 3 x');
  const place = await driver.take(plum, 'open', {});
  expect(place.length).toBe(5);
  await driver.repair(place, { substitute });
  expect(await records(driver, plum)).toEqual([event(0), substitute(1), event(2), event(3)]);
  await write(driver, place, 4, [event(4, 'after')]);
  const aside = stage.file(plum, 'set-aside');
  const [name] = await readdir(aside);
  expect(await readFile(`${aside}/${name}`, 'utf8')).toBe(broken.join(''));
  await driver.release(place);
  stage.crash();
  expect(await records(stage.driver(), plum)).toEqual([
    event(0),
    substitute(1),
    event(2),
    event(3),
    event(4, 'after'),
  ]);
  expect((await logFiles(stage, plum)).length).toBe(1);
});

test.each(['openWrite', 'write', 'sync', 'put', 'link'] as const)(
  'a repair that fails at %s leaves the log as it was, and can be tried again [S16]',
  async (failing) => {
    await brokenLog();
    const faults = noFaults();
    const driver = stage.driver({ files: faultyFiles(faults) });
    const place = await driver.take(plum, 'open', {});
    faults.before = (method) => {
      if (method === failing) throw errno('ENOSPC');
    };
    const failed = await driver.repair(place, { substitute }).then(
      () => false,
      () => true,
    );
    faults.before = () => undefined;
    expect(await outline(stage.driver(), plum)).toBe(failed ? '0 x 2 3 x' : '0 1 2 3');
    await driver.repair(place, { substitute });
    expect(await outline(stage.driver(), plum)).toBe('0 1 2 3');
    await write(driver, place, 4, events(4, 6));
    expect(await outline(stage.driver(), plum)).toBe('0 1 2 3 4 5');
  },
);

test.each([
  ['syncFolder', '/plum'],
  ['remove', 'log-'],
  ['remove', 'prefix'],
] as const)('once the new file is the log, a failing %s of %s does no harm [S16]', async (failing, where) => {
  const faults = noFaults();
  const driver = stage.driver({ files: faultyFiles(faults) });
  await driver.release(await stored(driver, kiwi, 3));
  const place = await driver.take(plum, 'create', { prefix: { session: kiwi, length: 2 } });
  await write(driver, place, 2, events(2, 5), headerText(plum));
  await breakRecord(stage.file(kiwi, 'log-00000001.jsonl'), 1);
  let started = false;
  faults.before = (method, path) => {
    started ||= method === 'put' && path.includes('plum');
    if (started && method === failing && path.includes(where) && !path.includes('.tmp-')) throw errno('EIO');
  };
  await driver.repair(place, { substitute });
  faults.before = () => undefined;
  await write(driver, place, 5, events(5, 6));
  expect(await outline(stage.driver(), plum)).toBe('0 1 2 3 4 5');
});

test('a damaged prefix is copied, and its source keeps its bytes [S16 S23]', async () => {
  const driver = stage.driver();
  await driver.release(await stored(driver, plum, 4));
  const place = await driver.take(kiwi, 'create', { prefix: { session: plum, length: 3 } });
  await write(driver, place, 3, [event(3, 'fork')], headerText(kiwi));
  const shared = stage.file(plum, 'log-00000001.jsonl');
  await breakRecord(shared, 1);
  const before = await readFile(shared);
  await driver.repair(place, { substitute });
  expect(await records(driver, kiwi)).toEqual([event(0), substitute(1), event(2), event(3, 'fork')]);
  expect(await readFile(shared)).toEqual(before);
  expect(await outline(driver, plum)).toBe('0 x 2 3');
  await write(driver, place, 4, events(4, 5));
  expect(await outline(driver, kiwi)).toBe('0 1 2 3 4');
});

test('a whole prefix stays shared [S23]', async () => {
  const driver = stage.driver();
  await driver.release(await stored(driver, plum, 4));
  const place = await driver.take(kiwi, 'create', { prefix: { session: plum, length: 3 } });
  await write(driver, place, 3, events(3, 6), headerText(kiwi));
  await breakRecord((await logFiles(stage, kiwi))[0]!, 4);
  await driver.repair(place, { substitute });
  expect(await outline(driver, kiwi)).toBe('0 1 2 3 4 5');
  const [link, source] = [stage.file(kiwi, 'prefix-00000000.jsonl'), stage.file(plum, 'log-00000001.jsonl')];
  expect((await stat(link)).ino).toBe((await stat(source)).ino);
});

test('a repaired log can be forked, and taken over [S20 S24]', async () => {
  await brokenLog();
  const driver = stage.driver();
  await driver.repair(await driver.take(plum, 'open', {}), { substitute });
  const place = await driver.take(kiwi, 'create', { prefix: { session: plum, length: 4 } });
  await write(driver, place, 4, events(4, 5), headerText(kiwi));
  expect(await outline(driver, kiwi)).toBe('0 1 2 3 4');
  stage.crash();
  const next = stage.driver();
  await write(next, await next.take(plum, 'open', {}), 4, events(4, 5));
  expect(await outline(next, plum)).toBe('0 1 2 3 4');
});

/** The repair of a broken log whose last step is preceded by `before`; that step is the naming of `start.json`. */
async function repairWith(before: () => Promise<void>): Promise<unknown> {
  const files: FilePort = {
    ...nodeFiles,
    async rename(from, to) {
      if (to.endsWith('start.json')) await before();
      await nodeFiles.rename(from, to);
    },
  };
  const driver = stage.driver({ files });
  const place = await driver.take(plum, 'open', {});
  return driver.repair(place, { substitute }).then(
    () => 'repaired',
    (error: unknown) => (error as { code?: unknown }).code,
  );
}

test('a repair that was killed before its last step leaves nothing that the next writer meets [S14 S16]', async () => {
  await brokenLog();
  await repairWith(() => Promise.reject(errno('EIO')));
  stage.crash();
  const driver = stage.driver();
  const place = await driver.take(plum, 'open', {});
  await write(driver, place, 5, [event(5)]);
  await driver.release(place);
  expect(await outline(stage.driver(), plum)).toBe('0 x 2 3 x 5');
});

test('a repair that was overtaken changes nothing of what its successor writes [S16 S21]', async () => {
  await brokenLog();
  let next = stage.driver();
  const answer = await repairWith(async () => {
    stage.sleep(2 * leaseMs);
    next = stage.driver();
    const place = await next.take(plum, 'open', {});
    await write(next, place, 5, events(5, 7));
  });
  expect(answer).toBe('FENCED');
  expect(await outline(next, plum)).toBe('0 x 2 3 x 5 6');
});
