import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { dsh, scenarioFile, temporaryFolder } from './command-line.ts';

const environment = { OPENAI_COMPATIBLE_API_KEY: 'k', DEEPSEEK_API_KEY: 'k' };

describe('a mistake in the command line', () => {
  const mistakes: readonly [args: readonly string[], line: string][] = [
    [['run', ''], 'dsh: the task is empty: say what is to be done\n'],
    [['run', ' \n'], 'dsh: the task is empty: say what is to be done\n'],
    [['run', 'x', '--model', ''], 'dsh: --model is empty: write what it is, or leave it out\n'],
    [['run', '--scenario', ''], 'dsh: --scenario is empty: write what it is, or leave it out\n'],
    [['sessions', 'list', '--config', ''], 'dsh: --config is empty: write what it is, or leave it out\n'],
    ...[
      ['x', '--model', 'openai-compatible/a'],
      ['x', '--model', 'deepseek/a'],
      ['--scenario', scenarioFile('pears')],
    ].map((args): [args: readonly string[], line: string] => [
      ['run', ...args, '--base-url', 'notaurl'],
      'dsh: --base-url "notaurl" is no URL of a server: write one such as https://host/v1\n',
    ]),
  ];
  it.each(mistakes)('is one line, and nothing is stored: %j [H5 H8]', async (args, line) => {
    using folder = temporaryFolder();
    const ended = await dsh([...args, '--store', join(folder.path, 'store')], { environment });
    expect(ended).toMatchObject({ code: 2, out: '', err: line });
    expect(readdirSync(folder.path)).toEqual([]);
  });

  it.each(['run', 'chat', 'serve', 'demo'])(
    'is an empty --store, which is not the current folder: %s [H5 H6 H7]',
    async (command) => {
      using folder = temporaryFolder();
      const ended = await dsh([command, '--store', ''], { cwd: folder.path, environment });
      const line = 'dsh: --store is empty: write what it is, or leave it out\n';
      expect(ended).toMatchObject({ code: 2, out: '', err: line });
      expect(readdirSync(folder.path)).toEqual([]);
    },
  );

  it.each(['http://me:s3cret@127.0.0.1:1', 'ftp://s3cret@host', 'http://me:s3cret@'])(
    'is a password in --base-url, which is neither shown nor stored: %s [H8]',
    async (url) => {
      using folder = temporaryFolder();
      const line =
        'dsh: --base-url holds a name or a password: leave them out, keys come from the environment\n';
      for (const command of [['run', 'x'], ['serve', '--port', '0'], ['chat']]) {
        const model = ['--model', 'openai-compatible/a', '--base-url', url];
        const ended = await dsh([...command, ...model, '--store', join(folder.path, 's')], { environment });
        expect(ended).toMatchObject({ code: 2, out: '', err: line });
      }
      expect(readdirSync(folder.path)).toEqual([]);
    },
  );

  it('is none where the version is asked for [H10]', async () => {
    const { code, out, err } = await dsh(['--version']);
    expect([code, err]).toEqual([0, '']);
    expect(out).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});

describe('a store that cannot be used', () => {
  it('is one line that says what did not happen [H5 H6 H7]', async () => {
    using folder = temporaryFolder();
    const store = join(folder.path, 'file');
    writeFileSync(store, '');
    const run = await dsh(['run', '--scenario', scenarioFile('pears'), '--store', store]);
    expect([run.code, run.out]).toEqual([1, '']);
    expect(run.err).toMatch(/^dsh: the store .*\/file cannot be used: ENOTDIR: .*; nothing was run\n$/);
    const input = Object.assign(new PassThrough(), { isTTY: false });
    const model = ['--model', 'deepseek/a'];
    const talk = await dsh(['chat', ...model, '--store', store], { environment, input });
    expect([talk.code, talk.out]).toEqual([1, '']);
    expect(talk.err).toMatch(/^dsh: the store .*\/file cannot be used: ENOTDIR: .*; the chat has ended\n$/);
    const looked = await dsh(['sessions', 'list', '--store', store]);
    expect([looked.code, looked.out]).toEqual([1, '']);
    expect(looked.err).toMatch(
      /^dsh: the store .*\/file cannot be used: ENOTDIR: .*; the command was not carried out\n$/,
    );
  });
});
