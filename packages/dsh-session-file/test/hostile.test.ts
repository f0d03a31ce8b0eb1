import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { openSessionStore, SessionError, type SessionStore } from '@deepseek-ai/dsh-session';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { kiwi, plum } from '@dsh-internal/driver-testing';
import { leaseMs, openStage, type Stage } from './support/stage.ts';

let stage: Stage;
beforeEach(async () => {
  stage = await openStage();
});
afterEach(() => stage.dispose());

type Spoil = (file: (name: string) => string) => Promise<unknown>;

const log = 'log-00000001.jsonl';
const change =
  (name: string, to: (bytes: Buffer) => Buffer): Spoil =>
  async (file) => {
    const bytes = to(await readFile(file(name)));
    // Not in place: the source has the same bytes under another name.
    await rm(file(name));
    await writeFile(file(name), bytes);
  };
const put =
  (name: string, text: string): Spoil =>
  (file) =>
    writeFile(file(name), text);
const folder =
  (name: string): Spoil =>
  async (file) => {
    await rm(file(name), { force: true });
    await mkdir(file(name));
  };

/** What a hand did to a fork with three own turns, and whether a repair makes a Session of it that can be opened. */
const spoiled: Readonly<Record<string, readonly [mendable: boolean, Spoil]>> = {
  'an empty log': [true, put(log, '')],
  'a log of zeros': [true, put(log, '\u0000'.repeat(5_000))],
  'a log of one endless line': [
    true,
    change(log, (bytes) => Buffer.from(bytes.toString().replaceAll('\n', ' '))),
  ],
  'a log with a byte-order mark': [
    true,
    change(log, (bytes) => Buffer.concat([Buffer.from('\ufeff'), bytes])),
  ],
  'lines in another order': [
    true,
    change(log, (bytes) => Buffer.from(`${bytes.toString().trim().split('\n').reverse().join('\n')}\n`)),
  ],
  'every line twice': [true, change(log, (bytes) => Buffer.from(bytes.toString().replace(/.*\n/g, '$&$&')))],
  'no log': [true, (file) => rm(file(log))],
  'a folder as log': [false, folder(log)],
  'a link to nowhere as log': [
    true,
    async (file) => rm(file(log)).then(() => symlink('/nowhere/at/all', file(log))),
  ],
  'a header of later times': [false, put('header.json', '{"version":9,"id":"kiwi","createdAt":1}')],
  'a header of another Session': [false, put('header.json', '{"version":1,"id":"plum","createdAt":1}')],
  'an empty header': [false, put('header.json', '')],
  'a folder as header': [false, folder('header.json')],
  'no header': [false, (file) => rm(file('header.json'))],
  'a prefix that is no JSON': [false, put('prefix.json', '{')],
  'a prefix whose file is gone': [true, (file) => rm(file('prefix-00000000.jsonl'))],
  'a damaged prefix': [
    true,
    change('prefix-00000000.jsonl', (bytes) => Buffer.from(bytes.toString().replace('pear', 'peer'))),
  ],
  'a seal that is no JSON': [false, put('seal-00000001.json', 'x')],
  'a start that is no JSON': [false, put('start.json', '')],
  'an epoch from the future': [true, put('epoch-00000777.json', '{}')],
  'a summary that lies': [true, put('epoch-00000001.released.json', '{"pid":1,"since":1,"summary":"{}"}')],
};

async function left(): Promise<void> {
  const store = await openSessionStore({ driver: stage.driver() });
  const session = await store.create({ id: plum });
  turns(session, 'pear');
  const fork = await store.fork(plum, { id: kiwi });
  turns(fork, 'fig');
  await store[Symbol.asyncDispose]();
}

function turns(session: Awaited<ReturnType<SessionStore['create']>>, text: string): void {
  for (let count = 0; count < 3; count += 1) {
    const turn = session.turns;
    session.append('turn/start', { turn });
    session.append('request/header', { hash: text });
    session.append('turn/end', { turn, reason: { kind: 'completed' } });
  }
}

/** What it gives, or the code of its error. An error of another kind is thrown on. */
async function outcome<T>(work: () => Promise<T>): Promise<T | string> {
  try {
    return await work();
  } catch (error) {
    // Or what the system says, where something else has the name of a file.
    if (SessionError.is(error) || (error as NodeJS.ErrnoException).code === 'EISDIR')
      return (error as NodeJS.ErrnoException).code ?? '';
    throw error;
  }
}

async function lines(store: SessionStore): Promise<readonly string[]> {
  const all: string[] = [];
  for await (const line of store.export(kiwi)) all.push(line);
  return all;
}

describe('after a hostile hand', () => {
  it.each(Object.entries(spoiled))(
    'verify, export and repair answer, delete works, and the source stays whole: %s [S16] [S18] [S19] [S23]',
    async (_, [mendable, spoil]) => {
      await left();
      await spoil((name) => stage.file(kiwi, name));
      // What holds the place for all that can be known is over.
      stage.sleep(2 * leaseMs);
      const store = await openSessionStore({ driver: stage.driver() });
      await outcome(() => store.verify(kiwi));
      await outcome(() => lines(store));
      const repaired = await outcome(() => store.repair(kiwi));
      expect(typeof repaired).toBe(mendable ? 'object' : 'string');
      if (mendable) {
        const session = await store.open(kiwi);
        await session.ready();
        session.append('turn/start', { turn: session.turns });
        await store.close(session);
        expect((await store.verify(kiwi)).damaged).toEqual([]);
      }
      const listed = [];
      for await (const entry of store.list()) listed.push(entry.id);
      expect(listed).toContain(kiwi);
      await store.delete(kiwi);
      expect(await stage.names(kiwi)).toEqual([]);
      const source = await store.open(plum);
      await source.ready();
      expect(source.turns).toBe(3);
      await store[Symbol.asyncDispose]();
    },
  );

  it.each(['a header of another Session', 'an empty header', 'a folder as header', 'no header'])(
    'what is wrong with a header is told in its place, and all records are read and exported: %s [S16 S18]',
    async (name) => {
      await left();
      const whole = await exported();
      await spoiled[name]?.[1]((file) => stage.file(kiwi, file));
      const [header = '', ...records] = await exported();
      expect(header).toMatch(/^\{"damaged":.*header/);
      expect(records).toEqual(whole.slice(1));
    },
  );
});

async function exported(): Promise<readonly string[]> {
  const store = await openSessionStore({ driver: stage.driver() });
  const all = await lines(store);
  expect((await store.verify(kiwi)).events).toBe(all.length - 1);
  await store[Symbol.asyncDispose]();
  return all;
}
