import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { dsh, scenarioFile, temporaryFolder } from './command-line.ts';
import { jsonLines } from './stable-transcript.ts';

const sqlite = ['--driver', 'sqlite'];

async function ran(store: string, ...more: readonly string[]): Promise<string> {
  const { code, err, out } = await dsh([
    ...['run', '--scenario', scenarioFile('waiting'), '--json', '--store', store],
    ...more,
  ]);
  expect([code, err]).toEqual([0, '']);
  return (jsonLines(out)[0] as unknown as { readonly root: string }).root;
}

const shownDriver = async (...args: readonly string[]): Promise<unknown> => {
  const { out } = await dsh(['config', 'show', '--json', ...args]);
  const { plugins } = JSON.parse(out) as { plugins: { plugin: string; options: { driver?: string } }[] };
  return plugins.find(({ plugin }) => plugin === 'sessions')?.options.driver;
};

it('keeps a new store in one file where that is asked for, and knows it again [H1 H5]', async () => {
  using folder = temporaryFolder();
  const store = join(folder.path, 'store');
  const root = await ran(store, ...sqlite);
  expect(readdirSync(store).sort()).toEqual(['sessions.sqlite', 'sessions.sqlite-reserve']);
  expect(await ran(store, '--resume', root)).toBe(root);
  expect(await shownDriver('--store', store)).toBe('sqlite');
  const listed = await dsh(['sessions', 'list', '--store', store, '--json']);
  expect(jsonLines(listed.out)).toMatchObject([{ id: root }]);
});

it('takes the driver of a new store from the config [H2]', async () => {
  using folder = temporaryFolder();
  const config = join(folder.path, 'c.yaml');
  writeFileSync(config, 'plugins: [{ plugin: sessions, options: { root: s, driver: sqlite } }]');
  const store = join(folder.path, 's');
  expect(await shownDriver('--config', config)).toBe('sqlite');
  expect(await shownDriver('--config', config, '--driver', 'file')).toBe('file');
  expect(existsSync(store)).toBe(false);
  await dsh(['run', '--scenario', scenarioFile('waiting'), '--config', config]);
  expect(existsSync(join(store, 'sessions.sqlite'))).toBe(true);
  writeFileSync(config, 'plugins: [{ plugin: sessions, options: { driver: pears } }]');
  const { code, err } = await dsh(['config', 'show', '--config', config]);
  expect([code, err]).toEqual([
    2,
    expect.stringMatching(/^dsh: .*c\.yaml:1:50: .*driver: Invalid option: .*\n$/),
  ]);
});

const commands: readonly (readonly string[])[] = [
  ['run', '--scenario', scenarioFile('waiting')],
  ['sessions', 'list'],
  ['config', 'show'],
  ['serve', '--port', '0'],
];

it.each(commands)('answers a store of the other driver with one sentence: %s [H2 H5]', async (...command) => {
  using folder = temporaryFolder();
  for (const [made, asked] of [
    ['file', 'sqlite'],
    ['sqlite', 'file'],
  ] as const) {
    const store = join(folder.path, made);
    mkdirSync(join(store, ...(made === 'file' ? ['sessions'] : [])), { recursive: true });
    if (made === 'sqlite') writeFileSync(join(store, 'sessions.sqlite'), '');
    const before = readdirSync(store);
    const { code, out, err } = await dsh([...command, '--store', store, '--driver', asked]);
    expect([code, out]).toEqual([2, '']);
    expect(err).toBe(
      `dsh: the store ${store} was not opened: the ${made} driver has made it, and the ${asked} driver is asked for\n`,
    );
    expect(readdirSync(store)).toEqual(before);
  }
});

it.each(commands)('opens no store that both drivers have made: %s [H2 H5]', async (...command) => {
  using folder = temporaryFolder();
  mkdirSync(join(folder.path, 'sessions'));
  writeFileSync(join(folder.path, 'sessions.sqlite'), '');
  const { code, out, err } = await dsh([...command, '--store', folder.path, ...sqlite]);
  expect([code, out]).toEqual([2, '']);
  expect(err).toBe(
    `dsh: the store ${folder.path} was not opened: it holds both sessions/ and sessions.sqlite, so move one of them away\n`,
  );
});

it('says a driver that there is not in one line [H5]', async () => {
  const { code, err } = await dsh(['sessions', 'list', '--driver', 'pears']);
  expect(code).toBe(2);
  expect(err).toMatch(
    /^dsh: option '--driver <name>' argument 'pears' is invalid\. Allowed choices are file, sqlite\.\n$/,
  );
});

it('says in one line that a file is no store of Sessions [H5 H7]', async () => {
  using folder = temporaryFolder();
  writeFileSync(join(folder.path, 'sessions.sqlite'), 'pears and plums\n'.repeat(400));
  const store = ['--store', folder.path];
  const looked = await dsh(['sessions', 'list', ...store]);
  expect([looked.code, looked.out]).toEqual([1, '']);
  expect(looked.err).toMatch(
    /^dsh: the store .* cannot be used: file is not a database; the command was not carried out\n$/,
  );
  const run = await dsh(['run', '--scenario', scenarioFile('waiting'), ...store]);
  expect([run.code, run.out]).toEqual([1, '']);
  expect(run.err).toMatch(/^dsh: the store .* cannot be used: file is not a database; nothing was run\n$/);
});
