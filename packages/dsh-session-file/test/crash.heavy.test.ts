import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectPrefix, id, killedWriter, startWriter } from '@dsh-internal/driver-testing';
import { fileDriver } from '../src/index.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dsh-session-file-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const program = fileURLToPath(new URL('support/writer-process.ts', import.meta.url));
const sessions = ['plum', 'kiwi', 'Lime'].map(id);

test.each(sessions)(
  'a process killed at ten random instants loses nothing that was durable: %s [S14]',
  async (session) => {
    let durable = 0;
    for (let kill = 0; kill < 10; kill += 1) {
      const driver = fileDriver({ root: folder });
      const seed = sessions.indexOf(session) * 100 + kill;
      const called = await killedWriter(startWriter(program, folder, session, { seed }), seed);
      durable = await expectPrefix(driver, session, Math.max(durable, called));
      await driver[Symbol.asyncDispose]();
    }
    const driver = fileDriver({ root: folder });
    expect((await driver.take(session, 'open', {})).length).toBe(durable);
    await driver[Symbol.asyncDispose]();
  },
  120_000,
);
