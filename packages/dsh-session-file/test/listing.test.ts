import { mkdir, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { SessionDriver, SessionId } from '@deepseek-ai/dsh-session';
import { folderNameOf } from '../src/folder-names.ts';
import { entries, headerText, id, kiwi, outline, plum, stored } from '@dsh-internal/driver-testing';
import { openStage, type Stage } from './support/stage.ts';

let stage: Stage;
let driver: SessionDriver;
beforeEach(async () => {
  stage = await openStage();
  driver = stage.driver();
});
afterEach(() => stage.dispose());

const make = async (of: SessionId, more?: object): Promise<void> => {
  await driver.release(await stored(driver, of, 1, more));
};
const overwrite = (of: SessionId, text: string): Promise<void> =>
  writeFile(stage.file(of, 'header.json'), text);

/** What a hand or a crash can leave where a Session should be, by the name under which it is shown. */
const problems: Readonly<Record<string, (sessions: string) => Promise<void>>> = {
  'a-garbage': async () => (await make(id('a-garbage')), overwrite(id('a-garbage'), '{"version":')),
  'b-empty': async () => (await make(id('b-empty')), overwrite(id('b-empty'), '')),
  'c-mark': async () => (
    await make(id('c-mark')),
    overwrite(id('c-mark'), `\ufeff${headerText(id('c-mark'))}`)
  ),
  'd-folder': async (sessions) => {
    await mkdir(join(sessions, 'd-folder', 'header.json'), { recursive: true });
  },
  'e-file': (sessions) => writeFile(join(sessions, 'e-file'), 'a file where a folder belongs'),
  'f-moved': async (sessions) => (
    await make(id('f-from')),
    rename(join(sessions, 'f-from'), join(sessions, 'f-moved'))
  ),
  'g-headless': async () => (await make(id('g-headless')), rm(stage.file('g-headless', 'header.json'))),
  'h-nothing': async () => (await make(id('h-nothing')), overwrite(id('h-nothing'), 'null')),
  'H Foreign': async (sessions) => (
    await mkdir(join(sessions, 'H Foreign')),
    writeFile(join(sessions, 'H Foreign', 'x'), '')
  ),
  'i-link': (sessions) => symlink('/nowhere/at/all', join(sessions, 'i-link')),
};

test.each(Object.entries(problems))(
  '%s is a problem in its place, and can be deleted [S18 S19]',
  async (name, cause) => {
    await make(plum);
    await make(id('zebra'));
    await cause(join(stage.root, 'sessions'));
    const found = await entries(driver);
    expect(found.map((entry) => [entry.kind, entry.id]).sort()).toEqual(
      [
        ['problem', name],
        ['stored', 'plum'],
        ['stored', 'zebra'],
      ].sort(),
    );
    await driver.delete(id(name), {});
    expect((await entries(driver)).map((entry) => entry.id)).toEqual(['plum', 'zebra']);
  },
);

test('nothing is created where a link to nowhere has the name of the folder [S1 S3]', async () => {
  await make(plum);
  await symlink('/nowhere/at/all', join(stage.root, 'sessions', 'kiwi'));
  await expect(driver.take(kiwi, 'create', {})).rejects.toMatchObject({ code: 'SESSION_EXISTS' });
  await expect(driver.take(kiwi, 'open', {})).rejects.toMatchObject({ code: 'INVALID_HEADER' });
});

test('a problem whose id cannot be known is deleted under the name that is shown [S18 S19]', async () => {
  await make(id('Ü'));
  await overwrite(id('Ü'), 'garbage');
  const [entry] = await entries(driver);
  expect(entry).toMatchObject({ kind: 'problem', id: folderNameOf('Ü'), code: 'INVALID_HEADER' });
  await driver.delete(entry!.id, {});
  expect(await entries(driver)).toEqual([]);
});

test('a header of another version is listed as it is, and can be deleted [S2 S18]', async () => {
  const header = JSON.stringify({ version: 9, id: 'plum' });
  await make(plum);
  await overwrite(plum, header);
  expect(await entries(driver)).toEqual([{ kind: 'stored', id: 'plum', header, cursor: 'plum' }]);
  await driver.delete(plum, {});
  expect(await entries(driver)).toEqual([]);
});

test('what a killed creator left is no entry, and the id is free [S4]', async () => {
  await driver.take(plum, 'create', {});
  await writeFile(stage.file(plum, 'log-00000001.jsonl'), `${'first events without a header'.repeat(9)}\n`);
  await mkdir(stage.folder('empty'));
  stage.crash();
  driver = stage.driver();
  expect(await entries(driver)).toEqual([]);
  await make(plum);
  expect(await entries(driver)).toHaveLength(1);
  expect(await outline(driver, plum)).toBe('0');
});

test('deleting what a killed creator left finds nothing, and takes it away [S4 S19]', async () => {
  await driver.take(plum, 'create', {});
  stage.crash();
  driver = stage.driver();
  await expect(driver.delete(plum, {})).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' });
  expect(await readdir(join(stage.root, 'sessions'))).toEqual([]);
});

test('the name of a folder is no second id of a whole Session [S1 S19]', async () => {
  await make(id('Ü'));
  await expect(driver.delete(id(folderNameOf('Ü')), {})).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' });
  await expect(driver.head(id(folderNameOf('Ü')), {})).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' });
  expect(await entries(driver)).toHaveLength(1);
});

test('nothing outside the store can be deleted by a name [S1 S19]', async () => {
  await make(plum);
  for (const name of ['..', '.', '../sessions', '../by-parent', join(stage.root, 'sessions')]) {
    await expect(driver.delete(id(name), {})).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' });
  }
  expect(await entries(driver)).toHaveLength(1);
});

test('by parent, only the headers of its children are read [S18]', async () => {
  await make(id('one'), { parentSession: 'plum' });
  await make(id('two'), { parentSession: 'kiwi' });
  await make(id('Three'), { parentSession: 'plum' });
  await overwrite(id('two'), 'garbage');
  expect((await entries(driver, { parent: plum })).map((entry) => [entry.kind, entry.id])).toEqual([
    ['stored', 'one'],
    ['stored', 'Three'],
  ]);
  expect((await entries(driver, { parent: kiwi })).map(({ kind }) => kind)).toEqual(['problem']);
  await driver.delete(id('one'), {});
  expect((await entries(driver, { parent: plum })).map((entry) => entry.id)).toEqual(['Three']);
});

test('a mark without a child, or of the child of another, shows nothing [S18]', async () => {
  await make(id('one'), { parentSession: 'plum' });
  await make(id('two'), { parentSession: 'kiwi' });
  for (const name of ['two', 'gone']) await writeFile(join(stage.root, 'by-parent', 'plum', name), '');
  expect((await entries(driver, { parent: plum })).map((entry) => entry.id)).toEqual(['one']);
});

test('the index by parent is made again where it is missing [S18]', async () => {
  await make(id('one'), { parentSession: 'plum' });
  await make(id('bad'), { parentSession: 'plum' });
  await overwrite(id('bad'), 'garbage');
  await rm(join(stage.root, 'by-parent'), { recursive: true });
  expect((await entries(driver, { parent: plum })).map((entry) => entry.id)).toEqual(['one']);
  await rm(join(stage.root, 'by-parent'), { recursive: true });
  await make(id('two'), { parentSession: 'plum' });
  expect((await entries(driver, { parent: plum })).map((entry) => entry.id)).toEqual(['one', 'two']);
  expect((await readdir(stage.root)).sort()).toEqual(['by-parent', 'sessions', 'trash', 'writers']);
});

test('reading makes nothing: a store that was never written stays away [S18]', async () => {
  expect(await entries(driver)).toEqual([]);
  expect(await entries(driver, { parent: plum })).toEqual([]);
  await expect(driver.head(plum, {})).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' });
  await driver[Symbol.asyncDispose]();
  await expect(readdir(stage.root)).rejects.toMatchObject({ code: 'ENOENT' });
});
