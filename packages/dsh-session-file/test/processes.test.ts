import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { lstat, mkdtemp, readdir, rm } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { SessionDriver, WriterPlace } from '@deepseek-ai/dsh-session';
import {
  entries,
  event,
  events,
  kiwi,
  outline,
  plum,
  records,
  startWriter,
  write,
  type WriterProcess,
  type WriterSettings,
} from '@dsh-internal/driver-testing';
import { systemProcesses } from '@dsh-internal/processes';
import { fileDriver } from '../src/index.ts';

vi.setConfig({ testTimeout: 60_000 });

let folder: string;
let root: string;
let started: WriterProcess[];
let driver: SessionDriver;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dsh-session-file-'));
  root = join(folder, 'store');
  started = [];
  driver = fileDriver({ root });
});
afterEach(async () => {
  for (const one of started) one.signal('SIGKILL');
  await Promise.all(started.map((one) => one.ended()));
  await driver[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

const program = fileURLToPath(new URL('support/writer-process.ts', import.meta.url));

function start(at: string, session: string, settings?: WriterSettings): WriterProcess {
  const one = startWriter(program, at, session, settings);
  started.push(one);
  return one;
}

/** Asks again until the place can be had. */
async function takeWhenFree(by: SessionDriver): Promise<WriterPlace> {
  for (;;) {
    try {
      return await by.take(plum, 'open', {});
    } catch (error) {
      expect(error).toMatchObject({ code: 'SESSION_LOCKED' });
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}

test('the place of another process is refused, naming it; killed, it is taken over at once [S20]', async () => {
  const holder = start(root, 'plum');
  expect(await holder.said('holds')).toBe('1');
  await expect(driver.take(plum, 'open', {})).rejects.toMatchObject({
    code: 'SESSION_LOCKED',
    holder: { pid: holder.pid, host: hostname(), since: expect.any(Number) as number },
  });
  await expect(driver.delete(plum, {})).rejects.toMatchObject({ code: 'SESSION_LOCKED' });
  expect(await outline(driver, plum)).toBe('0');
  holder.signal('SIGKILL');
  await holder.ended();
  const place = await driver.take(plum, 'open', {});
  expect(place.takenOver?.pid).toBe(holder.pid);
  await write(driver, place, 1, events(1, 2));
  expect(await outline(driver, plum)).toBe('0 1');
});

test.runIf(process.platform === 'linux')(
  'a process that has ended and was not yet collected holds nothing [S20]',
  async () => {
    const shell = spawn('sh', ['-c', 'sleep 0.2 & echo $!; exec sleep 30'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const [output] = (await once(shell.stdout, 'data')) as [Buffer];
    const [zombie, processes] = [Number(output.toString()), systemProcesses()];
    while (processes.look(zombie).kind !== 'gone') await new Promise((resolve) => setTimeout(resolve, 5));
    expect(process.kill(zombie, 0)).toBe(true);
    expect(processes.look(process.pid).kind).toBe('there');
    shell.kill();
  },
);

test('a process that ends in order leaves its place free [S20]', async () => {
  const holder = start(root, 'plum');
  await holder.said('holds');
  holder.tell('dispose');
  await holder.said('dispose');
  expect((await driver.take(plum, 'open', {})).takenOver).toBeUndefined();
});

test('a holder that is stopped past its lease is taken over, and refused when it wakes [S20 S21]', async () => {
  const other = fileDriver({ root, leaseMs: 400 });
  const holder = start(root, 'plum', { leaseMs: 400 });
  await holder.said('holds');
  holder.tell('append');
  expect(await holder.said('durable')).toBe('2');
  await expect(other.take(plum, 'open', {})).rejects.toMatchObject({ code: 'SESSION_LOCKED' });
  holder.signal('SIGSTOP');
  const place = await takeWhenFree(other);
  expect(place.takenOver?.pid).toBe(holder.pid);
  expect(await outline(driver, plum)).toBe('0 1');
  await write(other, place, 2, [event(2, 'new')]);
  holder.signal('SIGCONT');
  holder.tell('append');
  expect(await holder.said('FENCED')).toBe('3');
  await write(other, place, 3, [event(3, 'new')]);
  expect((await records(driver, plum)).slice(2)).toEqual([event(2, 'new'), event(3, 'new')]);
  await other[Symbol.asyncDispose]();
});

test('a living holder keeps its place over many leases [S20]', async () => {
  const holder = start(root, 'plum', { leaseMs: 300 });
  await holder.said('holds');
  const end = Date.now() + 1000;
  while (Date.now() < end) {
    await expect(driver.take(plum, 'open', {})).rejects.toMatchObject({ code: 'SESSION_LOCKED' });
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
});

test.each(['000', '077', '377'])(
  'everything is for its owner alone, under the umask %s [S28]',
  async (umask) => {
    const holder = start(root, 'plum', { umask });
    await holder.said('holds');
    holder.tell('append');
    await holder.said('append');
    const place = await driver.take(kiwi, 'create', { prefix: { session: plum, length: 1 } });
    await driver.release(place);
    for (const name of ['.', ...(await readdir(root, { recursive: true }))]) {
      const { mode } = await lstat(join(root, name));
      const isFolder = (mode & 0o170000) === 0o040000;
      expect([name, (mode & 0o777).toString(8)]).toEqual([name, isFolder ? '700' : '600']);
    }
    expect(await entries(driver)).toHaveLength(1);
  },
);
