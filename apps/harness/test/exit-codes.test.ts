import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { exitCodes } from '../src/run/outcome.ts';
import { closedPipeCode } from '../src/output/output-failure.ts';
import { dsh } from './command-line.ts';

it('lists the same exit codes in the README, in the help and in the program [H10]', async () => {
  const readme = readFileSync(join(import.meta.dirname, '..', 'README.md'), 'utf8');
  const listed = [...readme.matchAll(/^\| (\d[\d, ]*?) +\|/gm)].map(([, codes]) => codes);
  const helped = [...(await dsh(['run', '--help'])).out.matchAll(/^ {2}(\d[\d, ]*?) {2}/gm)].map(
    ([, codes]) => codes,
  );
  expect(listed).toEqual(helped);
  expect(listed).toEqual([...Object.values(exitCodes).map(String), String(closedPipeCode), '130, 143']);
});
