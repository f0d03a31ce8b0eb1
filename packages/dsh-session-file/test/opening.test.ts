import {
  newMessageId,
  openSessionStore,
  type SessionDriver,
  type SessionStore,
  type UserMessage,
} from '@deepseek-ai/dsh-session';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { writeFile } from 'node:fs/promises';
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

  it('needs no summary, nor one that can be read: then it reads the log [S27]', async () => {
    await write(200, 'x'.repeat(200), 'crash');
    const [name] = (await stage.names(plum)).filter((each) => each.startsWith('summary-'));
    expect(name).toBeDefined();
    await writeFile(stage.file(plum, name ?? ''), '');
    const store = await storeOver(stage.driver());
    const session = await store.open(plum);
    expect(session.turns).toBe(200);
    expect(session.history()).toHaveLength(200);
    await store[Symbol.asyncDispose]();
    expect(await stage.names(plum)).not.toContain(name);
  });
});
