import { expect, test, vi } from 'vitest';
import type { SessionDriver, SessionId, WriterPlace } from '@deepseek-ai/dsh-session';
import {
  append,
  codeOf,
  entries,
  event,
  events,
  headerText,
  id,
  kiwi,
  plum,
  records,
  seeded,
  stored,
  write,
} from '@dsh-internal/driver-testing';
import { memoryDisk } from './support/memory-disk.ts';
import { leaseMs, stageAt } from './support/stage.ts';
import type { FilePort } from '../src/file-port.ts';

vi.setConfig({ testTimeout: 60_000 });

/** Each test runs a hundred seeds from there on; a failure names its own. */
const firstSeeds = [1, 101, 201, 301, 401];

interface Run {
  /** Per Session: what was answered with yes, and what was ever handed over. */
  readonly durable: Map<SessionId, number>;
  readonly handed: Map<SessionId, string[]>;
}

async function writeSome(
  driver: SessionDriver,
  place: WriterPlace,
  run: Run,
  random: () => number,
): Promise<void> {
  let base = place.length;
  for (let batch = Math.floor(random() * 4); batch >= 0; batch -= 1) {
    const list = events(
      base,
      base + 1 + Math.floor(random() * 3),
      `${place.token} ${'x'.repeat(random() * 300)}`,
    );
    const handed = run.handed.get(place.id)!.slice(0, base);
    run.handed.set(place.id, [...handed, ...list.map(({ json }) => json)]);
    await write(driver, place, base, list);
    base += list.length;
    run.durable.set(place.id, base);
  }
  // The last one is cut off by the crash.
  const torn = event(base, 'never answered');
  run.handed.get(place.id)!.push(torn.json);
  await write(driver, place, base, [torn]);
}

async function forkOff(driver: SessionDriver, run: Run, fork: SessionId): Promise<void> {
  const length = run.durable.get(plum)!;
  const own = events(length, length + 2, 'fork');
  const place = await driver.take(fork, 'create', { prefix: { session: plum, length } });
  await write(driver, place, length, own, headerText(fork, { parentSession: 'parent' }));
  run.handed.set(fork, [...run.handed.get(plum)!.slice(0, length), ...own.map(({ json }) => json)]);
  run.durable.set(fork, length + 2);
}

async function expectNothingLost(driver: SessionDriver, run: Run): Promise<void> {
  const listed = await entries(driver, { parent: id('parent') });
  expect(listed.every(({ kind }) => kind === 'stored')).toBe(true);
  for (const [session, durable] of run.durable) {
    const found = await records(driver, session);
    const json = found.map((record) => (record.kind === 'event' ? record.json : 'damaged'));
    expect(json.length).toBeGreaterThanOrEqual(durable);
    expect(json).toEqual(run.handed.get(session)!.slice(0, json.length));
    expect(listed.map((entry) => entry.id)).toContain(session);
    run.handed.set(session, json);
  }
}

test('a take-over is durable before anything is sealed: the old holder stays fenced [S21]', async () => {
  const disk = memoryDisk();
  const stage = stageAt('/disk/store');
  const old = stage.driver({ files: disk, host: 'there' });
  const late = await stored(old, plum, 1);
  stage.sleep(leaseMs + 1);
  await stage.driver({ files: disk }).take(plum, 'open', {});
  // The server forgets what it may, and the old holder, on another machine, goes on.
  disk.cutPower(() => 0);
  expect(await codeOf(append(old, late, 1, events(1, 2)))).toBe('FENCED');
});

/** What a process writes over it reaches the files, and it is killed before it could make anything durable. */
const killedEarly = (disk: FilePort): FilePort => ({
  ...disk,
  openWrite: async (path) => ({ ...(await disk.openWrite(path)), sync: killed }),
});
const killed = (): Promise<never> => Promise.reject(new Error('killed'));

test('what a take-over counts is durable, though its writer was killed before it could make it so [S12 S14]', async () => {
  const disk = memoryDisk();
  const stage = stageAt('/disk/store');
  const first = stage.driver({ files: disk });
  await first.release(await stored(first, plum, 1));
  const second = stage.driver({ files: killedEarly(disk) });
  await append(second, await second.take(plum, 'open', {}), 1, events(1, 3));
  stage.crash();
  const driver = stage.driver({ files: disk });
  const place = await driver.take(plum, 'open', {});
  await write(driver, place, place.length, events(place.length, place.length + 1));
  disk.cutPower(() => 0);
  const found = await records(stage.driver({ files: disk }), plum);
  expect(found.map(({ kind, seq }) => [kind, seq])).toEqual([
    ['event', 0],
    ['event', 1],
    ['event', 2],
    ['event', 3],
  ]);
});

test('a Session whose creator was killed as soon as it could be seen is durable with the next writer [S14 S18]', async () => {
  const disk = memoryDisk();
  const stage = stageAt('/disk/store');
  const other = stage.driver({ files: disk });
  await other.release(await stored(other, kiwi, 1, { parentSession: 'parent' }));
  let dead = false;
  const syncFolder: FilePort['syncFolder'] = (path) => (dead ? killed() : disk.syncFolder(path));
  const creator = stage.driver({ files: { ...disk, syncFolder } });
  const header = headerText(plum, { parentSession: 'mother' });
  const place = await creator.take(plum, 'create', {});
  dead = true;
  await append(creator, place, 0, events(0, 1), header);
  stage.crash();
  const driver = stage.driver({ files: disk });
  await write(driver, await driver.take(plum, 'open', {}), 1, events(1, 2));
  disk.cutPower(() => 0);
  const later = stage.driver({ files: disk });
  expect((await records(later, plum)).map(({ seq }) => seq)).toEqual([0, 1]);
  expect((await entries(later, { parent: id('mother') })).map((entry) => entry.id)).toEqual([plum]);
});

test('a prefix is durable, though its writer was killed before it could make it so [S14 S24]', async () => {
  const disk = memoryDisk();
  const stage = stageAt('/disk/store');
  const first = stage.driver({ files: disk });
  await first.release(await stored(first, plum, 1));
  const second = stage.driver({ files: killedEarly(disk) });
  await append(second, await second.take(plum, 'open', {}), 1, events(1, 3));
  stage.crash();
  const driver = stage.driver({ files: disk });
  const place = await driver.take(kiwi, 'create', { prefix: { session: plum, length: 3 } });
  await write(driver, place, 3, events(3, 4), headerText(kiwi));
  disk.cutPower(() => 0);
  expect((await records(stage.driver({ files: disk }), kiwi)).map(({ seq }) => seq)).toEqual([0, 1, 2, 3]);
});

test.each(firstSeeds)(
  'a power cut takes nothing that was durable, seeds from %i on [S14 S18]',
  async (first) => {
    for (let seed = first; seed < first + 100; seed += 1) {
      await crashing(seed).catch((cause: unknown) => {
        throw new Error(`seed ${seed}`, { cause });
      });
    }
  },
);

async function crashing(seed: number): Promise<void> {
  const random = seeded(seed);
  const disk = memoryDisk();
  const stage = stageAt('/disk/store');
  const run: Run = { durable: new Map(), handed: new Map() };
  for (let crash = 0; crash < 4; crash += 1) {
    const driver = stage.driver({ files: disk });
    await expectNothingLost(driver, run);
    for (const session of [plum, kiwi]) {
      const isNew = !run.handed.has(session);
      const place = await driver.take(session, isNew ? 'create' : 'open', {});
      if (isNew) {
        run.handed.set(session, [event(0).json]);
        await write(driver, place, 0, [event(0)], headerText(session, { parentSession: 'parent' }));
        run.durable.set(session, 1);
        await driver.release(place);
        continue;
      }
      await writeSome(driver, place, run, random);
      if (random() < 0.4) await driver.release(place);
    }
    if (crash > 0) await forkOff(driver, run, id(`fork-${crash}`));
    stage.crash();
    disk.cutPower(random);
  }
}
