import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SessionDriver, SessionId } from '@deepseek-ai/dsh-session';
import { fileDriver } from '../src/index.ts';
import { entries, event, id, records } from './support/events.ts';
import { startWriter } from './support/processes.ts';
import { seeded } from './support/seeded.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dsh-session-file-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Starts a writer, kills it at an instant that the seed decides, and gives what it had called durable. */
async function killedWriter(session: SessionId, seed: number): Promise<number> {
  const random = seeded(seed);
  const writer = startWriter(folder, session, { seed });
  if (random() < 0.8) await writer.said('holds');
  await new Promise((resolve) => setTimeout(resolve, random() * 120));
  writer.signal('SIGKILL');
  await writer.ended();
  const durable = writer.lines
    .filter((line) => line.startsWith('durable'))
    .map((line) => Number(line.split(' ')[1]));
  return durable.at(-1) ?? 0;
}

async function expectPrefix(driver: SessionDriver, session: SessionId, durable: number): Promise<number> {
  const listed = await entries(driver);
  expect(listed.filter(({ kind }) => kind === 'problem')).toEqual([]);
  if (!listed.some((entry) => entry.id === session)) {
    expect(durable).toBe(0);
    return 0;
  }
  const found = await records(driver, session);
  expect(found.length).toBeGreaterThanOrEqual(durable);
  expect(found).toEqual(Array.from({ length: found.length }, (_, seq) => event(seq, session)));
  expect((await driver.head(session, {})).length).toBe(found.length);
  return found.length;
}

const sessions = ['plum', 'kiwi', 'Lime'].map(id);

test.each(sessions)(
  'a process killed at ten random instants loses nothing that was durable: %s [S14]',
  async (session) => {
    let durable = 0;
    for (let kill = 0; kill < 10; kill += 1) {
      const driver = fileDriver({ root: folder });
      durable = Math.max(durable, await killedWriter(session, sessions.indexOf(session) * 100 + kill));
      durable = await expectPrefix(driver, session, durable);
      await driver[Symbol.asyncDispose]();
    }
    const driver = fileDriver({ root: folder });
    expect((await driver.take(session, 'open', {})).length).toBe(durable);
    await driver[Symbol.asyncDispose]();
  },
  120_000,
);
