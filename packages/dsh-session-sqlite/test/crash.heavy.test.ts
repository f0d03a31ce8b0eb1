import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectPrefix, id, killedWriter, startWriter } from '@dsh-internal/driver-testing';
import { sqliteDriver } from '../src/index.ts';

const program = fileURLToPath(new URL('support/writer-process.ts', import.meta.url));
let folder: string;
let path: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dsh-session-sqlite-'));
  path = join(folder, 'sessions.sqlite');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const names = ['plum', 'kiwi', 'Lime'];
/** So many kills in one Session: each is read whole after each of them. */
const inOne = 70;
const rounds = process.env['DSH_LONG_TESTS'] === '1' ? 700 : 68;

test.each(names)(
  'a process killed at random instants loses nothing that was durable: %s [S14]',
  async (name) => {
    let durable = 0;
    let session = id(name);
    for (let kill = 0; kill < rounds; kill += 1) {
      if (kill > 0 && kill % inOne === 0) [session, durable] = [id(`${name}-${kill}`), 0];
      const seed = names.indexOf(name) * 1000 + kill;
      const driver = sqliteDriver({ path });
      // Every other kill with a reader and a second would-be writer beside it.
      const beside = kill % 2 === 0 ? { driver, session } : undefined;
      const called = await killedWriter(startWriter(program, path, session, { seed }), seed, beside);
      durable = await expectPrefix(driver, session, Math.max(durable, called));
      await driver[Symbol.asyncDispose]();
    }
    const driver = sqliteDriver({ path });
    if (durable > 0) expect((await driver.take(session, 'open', {})).length).toBe(durable);
    await driver[Symbol.asyncDispose]();
  },
  3_600_000,
);
