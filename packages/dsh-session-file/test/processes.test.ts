import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, test, vi } from 'vitest';
import {
  expectPrivate,
  playBetweenProcesses,
  processScenarios,
  type SharedStore,
} from '@dsh-internal/driver-testing';
import { fileDriver } from '../src/index.ts';

vi.setConfig({ testTimeout: 60_000 });

const program = fileURLToPath(new URL('support/writer-process.ts', import.meta.url));
let folder: string;
let store: SharedStore;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dsh-session-file-'));
  const root = join(folder, 'store');
  store = { program, at: root, open: (options) => fileDriver({ root, ...options }) };
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test.each(Object.keys(processScenarios))('of several processes: %s [S11 S20 S21]', (name) =>
  playBetweenProcesses(name, store),
);

test.each(['000', '077', '377'])('everything is for its owner alone, under the umask %s [S28]', (umask) =>
  expectPrivate(store, join(folder, 'store'), umask),
);
