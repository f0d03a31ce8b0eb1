import { readFileSync } from 'node:fs';
import { expect, it, vi } from 'vitest';

const text = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8');

it('writes again to a child that has left memory', async () => {
  const said: unknown[] = [];
  vi.spyOn(console, 'log').mockImplementation((line) => said.push(line));
  await import('../00-twenty-lines.ts');
  expect(said).toEqual([
    'fruit: completed',
    '[{"type":"text","text":"Pears are ripe in September."}]',
    '[{"type":"text","text":"Plums are ripe in August."}]',
  ]);
});

it('is the program that the README shows', () => {
  const [, shown] = /```ts\n([^]*?)```/.exec(text('../../README.md')) ?? [];
  const lines = (code: string): readonly string[] => code.split('\n').map((line) => line.trim());
  const program = new Set(lines(text('../00-twenty-lines.ts')));
  expect(lines(shown ?? 'nothing').filter((line) => !program.has(line))).toEqual([]);
});
