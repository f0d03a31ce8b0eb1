import { deferred, type Deferred } from '@dsh-internal/async';
import { expect, test } from 'vitest';
import { nodeFiles } from '../src/node-files.ts';
import { createOpenFiles } from '../src/open-files.ts';
import type { FilePort } from '../src/file-port.ts';

function logged(): { files: FilePort; log: string[] } {
  const log: string[] = [];
  const files: FilePort = {
    ...nodeFiles,
    async openWrite(path) {
      log.push(`open ${path}`);
      return {
        size: async () => 0,
        read: async () => 0,
        write: async () => {},
        sync: async () => {},
        async close() {
          log.push(`close ${path}`);
        },
      };
    },
  };
  return { files, log };
}

test('keeps files open up to the bound, and closes those unused for longest', async () => {
  const { files, log } = logged();
  const open = createOpenFiles(files, 2);
  for (const path of ['a', 'b', 'a', 'c', 'b']) await open.use(path, async () => {});
  expect(log).toEqual(['open a', 'open b', 'open c', 'close b', 'open b', 'close a']);
});

test('never closes a file that is in use, by the bound or when it is dropped', async () => {
  const { files, log } = logged();
  const open = createOpenFiles(files, 1);
  const work: Deferred<undefined> = deferred();
  const using = open.use('a', () => work.promise);
  await open.use('b', async () => {});
  await open.drop('a');
  expect(log).toEqual(['open a', 'open b', 'close b']);
  work.resolve(undefined);
  await using;
  expect(log.at(-1)).toBe('close a');
});

test('a file that could not be opened is tried again', async () => {
  const { files } = logged();
  let fails = true;
  const open = createOpenFiles(
    { ...files, openWrite: (path) => (fails ? Promise.reject(new Error('no')) : files.openWrite(path)) },
    2,
  );
  await expect(open.use('a', async () => {})).rejects.toThrow('no');
  await open.drop('a');
  fails = false;
  expect(await open.use('a', async () => 'used')).toBe('used');
});
