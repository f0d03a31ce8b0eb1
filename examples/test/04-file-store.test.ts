import { expect, it, vi } from 'vitest';

it('keeps sessions in a folder, with one writer and shared prefixes [S20 S23]', async () => {
  const said: unknown[] = [];
  vi.spyOn(console, 'log').mockImplementation((line) => said.push(line));
  await import('../04-file-store.ts');
  expect(said).toEqual([
    'epoch-00000001.json header.json log-00000001.jsonl',
    'read: 3 events',
    'SESSION_LOCKED, pid is ours: true',
    'the fork has 2 messages',
  ]);
});
