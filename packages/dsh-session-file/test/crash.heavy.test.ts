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
// 204 kills, and 2,100 in the long run.
const rounds = process.env['DSH_LONG_TESTS'] === '1' ? 700 : 68;
const sessions = ['plum', 'kiwi', 'Lime'].map(id);

test.each(sessions)(
  'a process killed at random instants loses nothing that was durable: %s [S14]',
  async (session) => {
    let durable = 0;
    for (let kill = 0; kill < rounds; kill += 1) {
      const driver = fileDriver({ root: folder });
      const seed = sessions.indexOf(session) * 1000 + kill;
      // Every other kill with a reader and a second would-be writer beside it.
      const beside = kill % 2 === 0 ? { driver, session } : undefined;
      const called = await killedWriter(startWriter(program, folder, session, { seed }), seed, beside);
      durable = await expectPrefix(driver, session, Math.max(durable, called));
      await driver[Symbol.asyncDispose]();
    }
    const driver = fileDriver({ root: folder });
    expect((await driver.take(session, 'open', {})).length).toBe(durable);
    await driver[Symbol.asyncDispose]();
  },
  3_600_000,
);
