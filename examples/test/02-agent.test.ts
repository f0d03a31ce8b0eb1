import { expect, it, vi } from 'vitest';

it('answers, is steered while it works, and goes on with the next message [A4 A7]', async () => {
  const said: unknown[] = [];
  vi.spyOn(console, 'log').mockImplementation((line) => said.push(line));
  await import('../02-agent.ts');
  expect(said).toEqual([
    'turn 0 ended: completed',
    'turn 1 ended: completed',
    'user: When are pears ripe?',
    'assistant: I look it up. tool-call',
    'tool: pears: September',
    'user: Leave out the plums.',
    'assistant: Pears are ripe in September; plums I leave out.',
    'user: Thanks.',
    'assistant: You are welcome.',
  ]);
});
