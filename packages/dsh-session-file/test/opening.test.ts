import {
  newMessageId,
  openSessionStore,
  type SessionDriver,
  type SessionStore,
  type UserMessage,
} from '@deepseek-ai/dsh-session';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { mkdir, open, rm, truncate, writeFile } from 'node:fs/promises';
import { nodeFiles } from '../src/node-files.ts';
import type { FilePort, OpenFile } from '../src/file-port.ts';
import { kiwi, plum } from '@dsh-internal/driver-testing';
import { openStage, type Stage } from './support/stage.ts';

let stage: Stage;
beforeEach(async () => {
  stage = await openStage();
});
afterEach(() => stage.dispose());

/** The machine's files, and how many bytes were read of them. */
function countingFiles(): { readonly files: FilePort; bytes: number } {
  const count = { files: nodeFiles, bytes: 0 };
  const counted = (file: OpenFile): OpenFile => ({
    ...file,
    async read(into, at) {
      const got = await file.read(into, at);
      count.bytes += got;
      return got;
    },
  });
  const files: FilePort = {
    ...nodeFiles,
    async load(path) {
      const bytes = await nodeFiles.load(path);
      count.bytes += bytes?.length ?? 0;
      return bytes;
    },
    async openRead(path) {
      const file = await nodeFiles.openRead(path);
      return file === undefined ? undefined : counted(file);
    },
    openWrite: async (path) => counted(await nodeFiles.openWrite(path)),
  };
  return Object.assign(count, { files });
}

const message = (text: string): UserMessage => ({
  id: newMessageId(),
  role: 'user',
  content: [{ type: 'text', text }],
  source: { kind: 'user' },
});

const storeOver = (driver: SessionDriver): Promise<SessionStore> => openSessionStore({ driver });

async function write(turns: number, text: string, end: 'close' | 'crash'): Promise<void> {
  const store = await storeOver(stage.driver());
  const session = await store.create({ id: plum });
  session.append('session/recovered', { damaged: 0, note: 'the opening' });
  for (let turn = 0; turn < turns; turn += 1) {
    session.append('turn/start', { turn });
    session.append('user/message', message(text));
    session.append('turn/end', { turn, reason: { kind: 'completed' } });
    if (turn % 50 === 0) await store.flush(session);
  }
  await store.flush(session);
  if (end === 'close') await store[Symbol.asyncDispose]();
  else stage.crash();
}

async function write0(path: string, text: string): Promise<void> {
  const file = await open(path, 'r+');
  await file.write(text, 0);
  await file.close();
}

const mostBytes = 64 * 1024;

describe('opening', () => {
  it.each([
    ['10 turns, closed', 10, 100, 'close'],
    ['3000 turns, closed', 3_000, 100, 'close'],
    ['3000 turns, left by a crash', 3_000, 100, 'crash'],
    ['100 long turns, closed', 100, 20_000, 'close'],
    ['100 long turns, left by a crash', 100, 20_000, 'crash'],
  ] as const)('reads no more than 64 KiB beyond the last turn: %s [S27]', async (_, turns, size, end) => {
    await write(turns, 'x'.repeat(size), end);
    const count = countingFiles();
    const store = await storeOver(stage.driver({ files: count.files }));
    const session = await store.open(plum);
    expect(session.turns).toBe(turns);
    expect(session.opening).toMatchObject([{ data: { note: 'the opening' } }]);
    expect(count.bytes).toBeLessThan(mostBytes + size);
    session.append('turn/start', { turn: turns });
    await session.ready();
    expect(session.history()).toHaveLength(turns);
    await store[Symbol.asyncDispose]();
  });

  it('a fork of a stored Session reads no more than that either [S23] [S24]', async () => {
    await write(3_000, 'x'.repeat(100), 'close');
    const count = countingFiles();
    const store = await storeOver(stage.driver({ files: count.files }));
    const fork = await store.fork(plum, { id: kiwi });
    expect(fork.turns).toBe(3_000);
    expect(count.bytes).toBeLessThan(mostBytes);
    await store[Symbol.asyncDispose]();
  });

  it.each([
    ['empty', async (path: string) => writeFile(path, '')],
    ['garbage', async (path: string) => writeFile(path, '\u0000'.repeat(100_000))],
    ['half of it', async (path: string) => truncate(path, 100)],
    ['that of an earlier time in front of a longer one', async (path: string) => write0(path, '{"check":1,')],
    ['a folder', async (path: string) => rm(path).then(() => mkdir(path))],
    ['missing', async (path: string) => rm(path)],
  ] as const)('needs no summary that can be read, it reads the log then: %s [S27]', async (_, spoil) => {
    await write(200, 'x'.repeat(200), 'crash');
    const [name = ''] = (await stage.names(plum)).filter((each) => each.startsWith('summary-'));
    await spoil(stage.file(plum, name));
    const store = await storeOver(stage.driver());
    expect((await store.head(plum)).length).toBe(601);
    const session = await store.open(plum);
    expect(session.turns).toBe(200);
    expect(session.history()).toHaveLength(200);
    await store.close(session);
    const again = await store.open(plum);
    expect(() => again.history()).toThrow('not loaded yet');
    await store.close(again);
    await store.delete(plum);
    expect(await stage.names(plum)).toEqual([]);
    await store[Symbol.asyncDispose]();
  });
});
