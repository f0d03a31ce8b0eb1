import { expect, it, vi } from 'vitest';

it('keeps a conversation across a crash, and forks it', async () => {
  const said: unknown[] = [];
  vi.spyOn(console, 'log').mockImplementation((line) => said.push(line));
  await import('../01-session.ts');
  expect(said).toEqual([
    '0 turn/start',
    '1 user/message',
    '2 turn/end',
    '3 turn/start',
    '4 user/message',
    'durable: 5 of 5',
    'turn 1 ended: interrupted',
    'messages: 2',
    'messages of the fork: 2',
  ]);
});
