import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { SessionDriver } from '@deepseek-ai/dsh-session';
import {
  append,
  codeOf,
  entries,
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
import { errno, faultyFiles, noFaults, type Faults } from './support/faulty-files.ts';
import { logFiles, openStage, type Stage } from './support/stage.ts';

vi.setConfig({ testTimeout: 60_000 });

let stage: Stage;
let faults: Faults;
let driver: SessionDriver;
beforeEach(async () => {
  stage = await openStage();
  faults = noFaults();
  driver = stage.driver({ files: faultyFiles(faults) });
});
afterEach(() => stage.dispose());

const jsonAfterCrash = async (): Promise<readonly unknown[]> => {
  stage.crash();
  return (await records(stage.driver(), plum)).map((record) =>
    record.kind === 'event' ? record.json : record,
  );
};
const jsonOf = (list: readonly { json: string }[]): readonly string[] => list.map(({ json }) => json);

describe('a full disk', () => {
  test('a write that stops after 17 bytes leaves nothing of it, and the next try is whole [S12]', async () => {
    const place = await stored(driver, plum, 2);
    faults.space = 17;
    expect(await codeOf(append(driver, place, 2, events(2, 4)))).toBe('NOT_DURABLE');
    expect(await outline(driver, plum)).toBe('0 1');
    faults.space = Infinity;
    await write(driver, place, 2, events(2, 4, 'again'));
    await write(driver, place, 4, events(4, 5));
    expect(await jsonAfterCrash()).toEqual(
      jsonOf([...events(0, 2), ...events(2, 4, 'again'), ...events(4, 5)]),
    );
  });

  test('wherever it stops, a reload equals what was confirmed [S12]', async () => {
    const place = await stored(driver, plum, 1);
    let length = 1;
    for (let space = 0; space < 230; space += 13) {
      faults.space = space;
      expect(await codeOf(append(driver, place, length, events(length, length + 3, 'lost')))).toBe(
        'NOT_DURABLE',
      );
      faults.space = Infinity;
      await write(driver, place, length, [event(length)]);
      length += 1;
      expect((await records(stage.driver(), plum)).length).toBe(length);
    }
    expect(await jsonAfterCrash()).toEqual(jsonOf(events(0, length)));
  });

  test('failed tries one after the other lose nothing [S12]', async () => {
    const place = await stored(driver, plum, 2);
    for (const space of [17, 0, 100, 30]) {
      faults.space = space;
      expect(await codeOf(append(driver, place, 2, events(2, 6)))).toBe('NOT_DURABLE');
    }
    faults.space = Infinity;
    await write(driver, place, 2, events(2, 4));
    expect(await jsonAfterCrash()).toEqual(jsonOf(events(0, 4)));
  });

  test('a place given back after a failed try holds what was confirmed [S12]', async () => {
    const place = await stored(driver, plum, 2);
    faults.before = (method, path) => {
      if (method === 'sync' && path.includes('log-')) throw errno('EIO');
    };
    expect(await codeOf(append(driver, place, 2, events(2, 4)))).toBe('NOT_DURABLE');
    faults.before = () => undefined;
    await driver.release(place);
    expect(await outline(stage.driver(), plum)).toBe('0 1');
    const next = await driver.take(plum, 'open', {});
    expect(next.length).toBe(2);
    expect(next.takenOver).toBeUndefined();
  });

  test('one part that fails leaves the others of its batch alone [S11 S12]', async () => {
    const [one, two] = [await stored(driver, plum, 1), await stored(driver, kiwi, 1)];
    faults.before = (method, path) => {
      if (method === 'write' && path.includes('plum')) throw errno('ENOSPC');
    };
    const results = await driver.append([
      { place: one, base: 1, events: events(1, 2) },
      { place: two, base: 1, events: events(1, 2) },
    ]);
    expect(results.map(({ ok }) => ok)).toEqual([false, true]);
    expect(await outline(driver, kiwi)).toBe('0 1');
  });
});

describe('a new Session on a full disk', () => {
  test.each([0, 17, 120, 180])(
    'cannot be seen until all of it is there: %i bytes of room [S4 S12]',
    async (room) => {
      const place = await driver.take(plum, 'create', {});
      faults.space = room;
      expect(await codeOf(append(driver, place, 0, events(0, 3), headerText(plum)))).toBe('NOT_DURABLE');
      expect(await entries(driver)).toEqual([]);
      faults.space = Infinity;
      await write(driver, place, 0, events(0, 3), headerText(plum));
      expect(await outline(stage.driver(), plum)).toBe('0 1 2');
    },
  );

  test('leaves nothing when it is given up [S4]', async () => {
    const place = await driver.take(plum, 'create', {});
    faults.before = (method, path) => {
      if (method === 'syncFolder' && path.endsWith('sessions')) throw errno('EIO');
    };
    expect(
      await codeOf(append(driver, place, 0, events(0, 3), headerText(plum, { parentSession: 'kiwi' }))),
    ).toBe('NOT_DURABLE');
    await driver.release(place);
    expect(await stage.names(plum)).toEqual([]);
    expect(await entries(driver)).toEqual([]);
    expect(await entries(driver, { parent: kiwi })).toEqual([]);
  });
});

test('a failed write is not built upon: the file it stands in gets nothing more [S12]', async () => {
  const place = await stored(driver, plum, 1);
  faults.space = 20;
  await append(driver, place, 1, events(1, 2));
  faults.space = Infinity;
  await write(driver, place, 1, events(1, 2));
  expect((await logFiles(stage, plum)).length).toBe(2);
});

test('a take-over that finds no room at any of its steps is told by the one that succeeds [S12 S20]', async () => {
  await stored(stage.driver(), plum, 2);
  stage.crash();
  const outcomes = new Set<string>();
  for (let space = 0; space < 600; space += 20) {
    faults.space = space;
    const place = await driver.take(plum, 'open', {}).catch(() => undefined);
    outcomes.add(place === undefined ? 'refused' : 'taken');
    faults.space = 0;
    if (place !== undefined) await driver.release(place);
  }
  expect(outcomes).toEqual(new Set(['refused', 'taken']));
  faults.space = Infinity;
  const place = await driver.take(plum, 'open', {});
  expect(place.takenOver).toMatchObject({ host: 'here', pid: 1002 });
  await write(driver, place, 2, events(2, 3));
  await driver.release(place);
  expect((await stage.driver().take(plum, 'open', {})).takenOver).toBeUndefined();
  expect(await outline(stage.driver(), plum)).toBe('0 1 2');
});
