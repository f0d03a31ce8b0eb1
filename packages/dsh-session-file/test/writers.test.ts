import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Clock } from '@deepseek-ai/dsh-session';
import {
  append,
  codeOf,
  event,
  events,
  headerText,
  id,
  outline,
  plum,
  stored,
  write,
} from '@dsh-internal/driver-testing';
import { errno, faultyFiles, noFaults } from './support/faulty-files.ts';
import { leaseMs, logFiles, openStage, type Stage } from './support/stage.ts';

let stage: Stage;
beforeEach(async () => {
  stage = await openStage();
});
afterEach(() => stage.dispose());

const refusal = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'taken',
    (error: unknown) => error,
  );

describe('who holds the place', () => {
  test('a living process keeps it while it shows life, however long that is [S20]', async () => {
    const one = stage.driver();
    await stored(one, plum, 1);
    stage.sleep(leaseMs);
    const error = await refusal(stage.driver().take(plum, 'open', {}));
    expect(error).toMatchObject({
      code: 'SESSION_LOCKED',
      holder: { host: 'here', pid: expect.any(Number) as number },
    });
    expect(String(error)).toMatch(/plum was not taken: held by process \d+ on here, since 20/);
  });

  test('one that was silent past its lease loses it, though it lives [S20]', async () => {
    const one = stage.driver();
    const late = await stored(one, plum, 1);
    stage.sleep(leaseMs + 1);
    const place = await stage.driver().take(plum, 'open', {});
    expect(place.takenOver).toMatchObject({ host: 'here' });
    expect(await codeOf(append(one, late, 1, events(1, 2)))).toBe('FENCED');
    expect(late.lost.aborted).toBe(true);
  });

  test('of a process on another machine only the lease tells [S20]', async () => {
    const one = stage.driver({ host: 'there' });
    await stored(one, plum, 1);
    stage.crash();
    expect(await refusal(stage.driver().take(plum, 'open', {}))).toMatchObject({ code: 'SESSION_LOCKED' });
    stage.sleep(leaseMs + 1);
    expect((await stage.driver().take(plum, 'open', {})).takenOver).toMatchObject({ host: 'there' });
  });

  test('the life sign is renewed while a place is held, and rests when none is [S20]', async () => {
    const timers = new Set<() => void>();
    let now = Date.now();
    const clock: Clock = {
      now: () => now,
      timer(ms, run) {
        expect(ms).toBe(leaseMs / 3);
        timers.add(run);
        const dispose = (): void => void timers.delete(run);
        return { dispose, [Symbol.dispose]: dispose };
      },
    };
    const one = stage.driver({ clock });
    const place = await stored(one, plum, 1);
    for (let beat = 0; beat < 6; beat += 1) {
      now += leaseMs / 3;
      stage.sleep(leaseMs / 3);
      for (const run of [...timers]) {
        timers.delete(run);
        run();
      }
    }
    expect(await refusal(stage.driver().take(plum, 'open', {}))).toMatchObject({ code: 'SESSION_LOCKED' });
    expect(timers.size).toBe(1);
    await one.release(place);
    expect(timers.size).toBe(0);
  });

  test('a life sign that cannot be renewed is reported [S20]', async () => {
    const faults = noFaults();
    faults.before = (method) => {
      if (method === 'touch') throw errno('EROFS');
    };
    const seen: string[] = [];
    const driver = stage.driver({ files: faultyFiles(faults), onDiagnostic: ({ code }) => seen.push(code) });
    await stored(driver, plum, 1);
    expect(seen).toEqual(['lease-not-renewed']);
  });

  test('a process number that was given to a later process does not keep it [S20]', async () => {
    const one = stage.driver();
    await stored(one, plum, 1);
    const name = (await stage.names(plum)).find((file) => file.startsWith('epoch-'))!;
    const record = JSON.parse(await readFile(stage.file(plum, name), 'utf8')) as object;
    await writeFile(stage.file(plum, name), JSON.stringify({ ...record, startTime: 'long ago' }));
    expect((await stage.driver().take(plum, 'open', {})).takenOver).toBeDefined();
  });

  test('an epoch file without content counts from its last change on [S20]', async () => {
    await stored(stage.driver(), plum, 2);
    const name = (await stage.names(plum)).find((file) => file.startsWith('epoch-'))!;
    await writeFile(stage.file(plum, name), '');
    expect(await refusal(stage.driver().take(plum, 'open', {}))).toMatchObject({ code: 'SESSION_LOCKED' });
    stage.sleep(leaseMs + 5000);
    expect((await stage.driver().take(plum, 'open', {})).length).toBe(2);
  });

  test('a release counts, though a crash of the machine took its content [S20]', async () => {
    const one = stage.driver();
    await one.release(await stored(one, plum, 2));
    await writeFile(stage.file(plum, 'epoch-00000001.released.json'), '');
    expect((await stage.driver().take(plum, 'open', {})).length).toBe(2);
  });

  test('one that looked before others came and went does not get in beside the holder [S20]', async () => {
    const faults = noFaults();
    const slow = stage.driver({ files: faultyFiles(faults) });
    const [two, three] = [stage.driver(), stage.driver()];
    await two.release(await stored(two, plum, 1));
    faults.before = async (method, path) => {
      if (method !== 'link' || !path.includes('epoch-00000002')) return;
      await two.release(await two.take(plum, 'open', {}));
      await three.take(plum, 'open', {});
    };
    expect(await refusal(slow.take(plum, 'open', {}))).toMatchObject({ code: 'SESSION_LOCKED' });
    expect((await stage.names(plum)).filter((name) => name.startsWith('epoch-'))).toEqual([
      'epoch-00000003.json',
    ]);
  });

  test('many that ask at once for the place of a dead holder: one gets it [S20]', async () => {
    await stored(stage.driver(), plum, 1);
    stage.crash();
    const asked = await Promise.all(
      Array.from({ length: 8 }, () => refusal(stage.driver().take(plum, 'open', {}))),
    );
    expect(asked.filter((answer) => answer === 'taken').length).toBe(1);
  });
});

describe('a writer that was overtaken', () => {
  test('what it writes between the take-over and the seal is history or refused, never both [S21]', async () => {
    const faults = noFaults();
    const one = stage.driver();
    const late = await stored(one, plum, 1);
    stage.sleep(leaseMs + 1);
    let answer = '';
    faults.before = async (method, path) => {
      if (method === 'put' && answer === '' && path.includes('plum')) return;
      if (method !== 'link' || !path.includes('seal-')) return;
      answer = await codeOf(append(one, late, 1, [event(1, 'late')]));
    };
    const two = stage.driver({ files: faultyFiles(faults) });
    const place = await two.take(plum, 'open', {});
    expect(answer).toBe('FENCED');
    expect(place.length).toBe(1);
    await write(two, place, 1, [event(1, 'new')]);
    expect((await outline(stage.driver(), plum)).split(' ')).toEqual(['0', '1']);
  });

  test('one that wakes between its write and its answer is not told that it is durable [S21]', async () => {
    const faults = noFaults();
    const one = stage.driver({ files: faultyFiles(faults) });
    const late = await stored(one, plum, 1);
    faults.before = async (method, path) => {
      if (method !== 'sync' || !path.includes('log-')) return;
      faults.before = () => undefined;
      stage.sleep(leaseMs + 1);
      await stage.driver().take(plum, 'open', {});
    };
    expect(await codeOf(append(one, late, 1, events(1, 2)))).toBe('FENCED');
  });

  test('one whose write failed before cannot seal what the new holder has sealed [S21 S12]', async () => {
    const faults = noFaults();
    const one = stage.driver({ files: faultyFiles(faults) });
    const late = await stored(one, plum, 1);
    faults.space = 30;
    await append(one, late, 1, events(1, 2));
    faults.space = Infinity;
    stage.sleep(leaseMs + 1);
    const two = stage.driver();
    const place = await two.take(plum, 'open', {});
    await write(two, place, 1, [event(1, 'new')]);
    expect(await codeOf(append(one, late, 1, events(1, 2)))).toBe('FENCED');
    await one.release(late);
    await write(two, place, 2, [event(2, 'new')]);
    expect(await outline(two, plum)).toBe('0 1 2');
  });

  test('one whose Session was deleted and made anew is not taken for the new holder [S21 S19]', async () => {
    const one = stage.driver();
    const late = await stored(one, plum, 1);
    stage.sleep(leaseMs + 1);
    const two = stage.driver();
    await two.delete(plum, {});
    const place = await stored(two, plum, 1);
    expect(await codeOf(append(one, late, 1, [event(1, 'late')]))).toBe('FENCED');
    await write(two, place, 1, [event(1, 'new')]);
    expect(await outline(two, plum)).toBe('0 1');
  });

  test('one that had not yet created its Session cannot put its header in the way [S21 S4]', async () => {
    const faults = noFaults();
    const one = stage.driver({ files: faultyFiles(faults) });
    const late = await one.take(plum, 'create', {});
    const two = stage.driver();
    faults.before = async (method, path) => {
      if (method !== 'link' || !path.endsWith('header.json')) return;
      faults.before = () => undefined;
      stage.sleep(leaseMs + 1);
      const place = await two.take(plum, 'create', {});
      await write(two, place, 0, [event(0, 'new')], headerText(plum, { origin: 'two' }));
    };
    expect(await codeOf(append(one, late, 0, [event(0, 'late')], headerText(plum, { origin: 'one' })))).toBe(
      'FENCED',
    );
    await one.release(late);
    expect((await two.head(plum, {})).header).toBe(headerText(plum, { origin: 'two' }));
    expect(await outline(two, plum)).toBe('0');
  });
});

test('holders that give the place back share one log file; a crash begins a new one [S20]', async () => {
  for (let round = 0; round < 5; round += 1) {
    const driver = stage.driver();
    const place = round === 0 ? await stored(driver, plum, 1) : await driver.take(plum, 'open', {});
    await write(driver, place, round + 1, events(round + 1, round + 2));
    await driver.release(place);
  }
  expect((await logFiles(stage, plum)).length).toBe(1);
  const place = await stage.driver().take(plum, 'open', {});
  expect(place.length).toBe(6);
  stage.crash();
  const driver = stage.driver();
  await write(driver, await driver.take(plum, 'open', {}), 6, events(6, 7));
  expect((await logFiles(stage, plum)).length).toBe(2);
  expect((await stage.names(plum)).filter((name) => name.startsWith('epoch-')).length).toBe(1);
});

test('a take-over clears away what the dead holder left lying about [S20]', async () => {
  await stored(stage.driver(), plum, 1);
  await writeFile(stage.file(plum, '.tmp-draft'), 'half');
  stage.crash();
  const driver = stage.driver();
  await driver.take(plum, 'open', {});
  expect((await stage.names(plum)).filter((name) => name.startsWith('.'))).toEqual([]);
  expect(await readdir(`${stage.root}/writers`)).toHaveLength(1);
  await mkdir(`${stage.root}/trash/half-deleted`);
  await driver.release(await stored(driver, id('kiwi'), 1));
  await driver.delete(id('kiwi'), {});
  expect(await readdir(`${stage.root}/trash`)).toEqual([]);
});

test('a disposed driver takes no place, and its life sign is gone [S20]', async () => {
  const driver = stage.driver();
  await stored(driver, plum, 1);
  await driver[Symbol.asyncDispose]();
  await driver[Symbol.asyncDispose]();
  expect(await refusal(driver.take(plum, 'open', {}))).toMatchObject({ code: 'STORE_CLOSED' });
  expect(await readdir(`${stage.root}/writers`)).toEqual([]);
});

test('more places than open files are no trouble', async () => {
  const driver = stage.driver({ maxOpenFiles: 2 });
  const places = [];
  for (let index = 0; index < 6; index += 1)
    places.push(await stored(driver, `fruit-${index}` as typeof plum, 1));
  for (let base = 1; base < 4; base += 1) {
    const parts = places.map((place) => ({ place, base, events: events(base, base + 1) }));
    expect((await driver.append(parts)).every(({ ok }) => ok)).toBe(true);
  }
  for (const { id } of places) expect(await outline(driver, id)).toBe('0 1 2 3');
});
