import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';

it('says of each known code when it comes and what to do', async () => {
  const read = (path: string): Promise<string> => readFile(new URL(path, import.meta.url), 'utf8');
  const known = [...(await read('../src/errors.ts')).matchAll(/^ {2}\| '(\w+)'/gm)].map(([, code]) => code);
  const told = [...(await read('../README.md')).matchAll(/^\| `([A-Z_]+)` +\|/gm)].map(([, code]) => code);
  expect(known.length).toBeGreaterThan(10);
  expect(told).toEqual(known);
});
