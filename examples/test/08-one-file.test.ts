import { expect, it, vi } from 'vitest';

it('commits many Sessions at once, names a writer, and keeps a fork whole [S11] [S20] [S23]', async () => {
  const said: unknown[] = [];
  vi.spyOn(console, 'log').mockImplementation((line) => said.push(line));
  await import('../08-one-file.ts');
  expect(said).toEqual([
    'durable: 3 3 3',
    'SESSION_LOCKED by this process: true',
    'the fork alone has 2 messages',
    // The second one is room for what gives room back on a full disk.
    'files: sessions.sqlite sessions.sqlite-reserve',
  ]);
});
