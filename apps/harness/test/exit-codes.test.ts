import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { exitCodesOf } from '../src/commands/exit-codes.ts';
import { closedPipeCode } from '../src/output/output-failure.ts';
import { exitCodes } from '../src/run/outcome.ts';
import { dsh, scenarioFile, spawnDsh, temporaryFolder } from './command-line.ts';
import { jsonLines } from './stable-transcript.ts';

const readme = readFileSync(join(import.meta.dirname, '..', 'README.md'), 'utf8');
const commands = Object.entries(exitCodesOf);

it('lists the exit codes of a run in the README and in the program [H5 H10]', () => {
  const listed = [...readme.matchAll(/^\| (\d[\d, ]*?) +\| (.*?) +\|$/gm)].map(([, code, meaning]) => [
    code,
    meaning,
  ]);
  expect(listed).toEqual(exitCodesOf.run);
  const codes = exitCodesOf.run.map(([code]) => code);
  expect(codes).toEqual([...Object.values(exitCodes).map(String), String(closedPipeCode), '130, 143']);
});

it.each(commands)('lists the exit codes of %s in its help and in the README [H10]', async (name, codes) => {
  const { out } = await dsh([name, '--help']);
  const helped = [...out.matchAll(/^ {2}(\d[\d, ]*?) {2}(.*)$/gm)].map(([, code, meaning]) => [
    code,
    meaning,
  ]);
  expect(helped).toEqual(codes);
  if (name === 'run') return;
  const row = codes.map(([code, meaning]) => `${code}: ${meaning}`).join('; ');
  expect(readme).toContain(`- \`dsh ${name}\`: ${row}.`);
});

it.each(['list', 'tree', 'show', 'export', 'verify', 'repair', 'delete', 'delete-tree'])(
  'lists them in the help of sessions %s too [H7 H10]',
  async (name) => {
    const { out } = await dsh(['sessions', name, '--help']);
    for (const [code, meaning] of exitCodesOf.sessions) expect(out).toContain(`\n  ${code}  ${meaning}\n`);
  },
);

it('ends a check of a damaged Session with 1, of a whole one with 0, and of none with 2 [H7 H10]', async () => {
  using folder = temporaryFolder();
  const store = ['--store', folder.path];
  const run = await dsh(['run', '--scenario', scenarioFile('steer'), ...store, '--json']);
  const { root } = jsonLines(run.out)[0] as unknown as { readonly root: string };
  const verify = (id: string) => dsh(['sessions', 'verify', id, ...store]);
  expect((await verify(root)).code).toBe(0);
  expect(await verify('nobody')).toMatchObject({
    code: 2,
    err: `dsh: session nobody is not stored in ${folder.path}\n`,
  });
  const log = join(folder.path, 'sessions', root, 'log-00000001.jsonl');
  writeFileSync(log, readFileSync(log, 'utf8').replace('"seq":2', '"seq":7'));
  expect(await verify(root)).toMatchObject({
    code: 1,
    err: '',
    out: expect.stringMatching(/ [1-9]\d* damaged\n/) as string,
  });
});

it(
  'ends with 1 and one sentence where nothing can end the command any more [H10]',
  { timeout: 60_000 },
  async () => {
    using folder = temporaryFolder();
    writeFileSync(join(folder.path, 'lost.mjs'), 'await new Promise(() => {});');
    const config = join(folder.path, 'c.yaml');
    writeFileSync(config, 'plugins: [{ plugin: ./lost.mjs }]');
    expect(await spawnDsh(['config', 'show', '--config', config]).ended).toEqual({
      code: 1,
      out: '',
      err: 'dsh: the command has not ended, and there is nothing left that it could wait for\n',
    });
  },
);
