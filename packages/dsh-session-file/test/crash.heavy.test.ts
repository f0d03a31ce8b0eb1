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
const names = ['plum', 'kiwi', 'Lime'];
/** So many kills in one Session: each is read whole after each of them. */
const inOne = 70;

test.each(names)(
  'a process killed at random instants loses nothing that was durable: %s [S14]',
  async (name) => {
    let durable = 0;
    let session = id(name);
    for (let kill = 0; kill < rounds; kill += 1) {
      if (kill > 0 && kill % inOne === 0) [session, durable] = [id(`${name}-${kill}`), 0];
      const driver = fileDriver({ root: folder });
      const seed = names.indexOf(name) * 1000 + kill;
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
