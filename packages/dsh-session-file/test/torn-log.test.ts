import { readFile, rm, writeFile } from 'node:fs/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { encodeLines } from '../src/lines.ts';
import { append, event, events, outline, plum, records, stored, write } from '@dsh-internal/driver-testing';
import { quickFiles } from './support/faulty-files.ts';
import { logFiles, openStage, type Stage } from './support/stage.ts';

vi.setConfig({ testTimeout: 60_000 });

let stage: Stage;
beforeEach(async () => {
  stage = await openStage();
});
afterEach(() => stage.dispose());

const jsonOf = (list: readonly { json: string }[]): readonly string[] => list.map(({ json }) => json);

async function loaded(): Promise<readonly string[]> {
  const found = await records(stage.driver({ files: quickFiles }), plum);
  return found.map((record) => (record.kind === 'event' ? record.json : 'damaged'));
}

/** Leaves one log file, as a holder that gave the place back or one that was killed. */
async function writeLog(length: number, end: 'released' | 'killed'): Promise<string> {
  const driver = stage.driver({ files: quickFiles });
  const place = await stored(driver, plum, length);
  if (end === 'released') await driver.release(place);
  stage.crash();
  return (await logFiles(stage, plum))[0]!;
}

test.each(['released', 'killed'] as const)(
  'a log cut at every byte of its last three records loads, goes on, and loads again; its holder %s [S15]',
  async (end) => {
    const path = await writeLog(5, end);
    const whole = await readFile(path);
    const sizes = events(0, 5).map((one) => encodeLines([one]).length);
    const keep = sizes.slice(0, 2).reduce((sum, size) => sum + size, 0);
    const pristine = new Map<string, Buffer>();
    for (const name of await stage.names(plum)) pristine.set(name, await readFile(stage.file(plum, name)));
    for (let cut = keep; cut <= whole.length; cut += 1) {
      const left = whole.subarray(0, cut).filter((byte) => byte === 0x0a).length;
      await writeFile(path, whole.subarray(0, cut));
      expect(await loaded()).toEqual(jsonOf(events(0, left)));
      const driver = stage.driver({ files: quickFiles });
      const place = await driver.take(plum, 'open', {});
      expect(place.length).toBe(left);
      await write(driver, place, left, [event(left, 'x')]);
      const after = [...events(0, left), event(left, 'x')];
      expect(await loaded()).toEqual(jsonOf(after));
      await driver.release(place);
      // Back to how it was before this cut.
      for (const name of await stage.names(plum)) await rm(stage.file(plum, name));
      for (const [name, bytes] of pristine) await writeFile(stage.file(plum, name), bytes);
    }
  },
);

test('every changed byte of a small log hides what it touches and nothing else [S16]', async () => {
  const path = await writeLog(4, 'released');
  const whole = await readFile(path);
  for (let at = 0; at < whole.length; at += 1) {
    const flipped = Buffer.from(whole);
    flipped.writeUInt8(whole.readUInt8(at) ^ 0x10, at);
    await writeFile(path, flipped);
    const touched = whole.subarray(0, at).filter((byte) => byte === 0x0a).length;
    // A line break that is gone makes two lines one.
    const lost = whole[at] === 0x0a ? [touched, touched + 1] : [touched];
    const seqs = (await records(stage.driver({ files: quickFiles }), plum)).flatMap((record) =>
      record.kind === 'event' ? [record.seq] : [],
    );
    expect(seqs).toEqual([0, 1, 2, 3].filter((seq) => !lost.includes(seq)));
    expect((await stage.driver({ files: quickFiles }).head(plum, {})).header).toContain('plum');
  }
});

test.each(['released', 'killed'] as const)(
  'what was cut off is never joined or written over; holder %s [S15]',
  async (end) => {
    const path = await writeLog(3, end);
    const cut = (await readFile(path)).subarray(0, -1);
    await writeFile(path, cut);
    const driver = stage.driver({ files: quickFiles });
    const place = await driver.take(plum, 'open', {});
    await write(driver, place, 2, events(2, 4));
    expect(await outline(driver, plum)).toBe('0 1 2 3');
    expect(await readFile(path)).toEqual(cut);
    for (const log of await logFiles(stage, plum)) {
      for (const line of (await readFile(log, 'utf8')).split('\n'))
        expect(line.match(/"crc"/g)?.length ?? 0).toBeLessThan(2);
    }
  },
);

test('a damaged last record counts, so that nothing takes its seq [S16]', async () => {
  const path = await writeLog(3, 'released');
  const bytes = await readFile(path);
  bytes.writeUInt8(0x21, bytes.length - 4);
  await writeFile(path, bytes);
  const driver = stage.driver({ files: quickFiles });
  expect((await driver.head(plum, {})).length).toBe(3);
  const place = await driver.take(plum, 'open', {});
  expect(place.length).toBe(3);
  expect(await append(driver, place, 3, events(3, 4))).toEqual({ ok: true });
  expect(await outline(driver, plum)).toBe('0 1 x 3');
});

test('a log file that is gone is damage of that place, not the end of the log [S16]', async () => {
  await writeLog(3, 'killed');
  const driver = stage.driver({ files: quickFiles });
  const place = await driver.take(plum, 'open', {});
  await write(driver, place, 3, events(3, 5));
  await rm((await logFiles(stage, plum))[0]!);
  expect(await outline(driver, plum)).toBe('x 3 4');
});
