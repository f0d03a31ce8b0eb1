import { expect, it, vi } from 'vitest';

it('carries messages to a child and back by one tool [T1 T3]', async () => {
  const said: string[] = [];
  vi.spyOn(console, 'log').mockImplementation((line) => said.push(String(line)));
  await import('../05-messages-both-ways.ts');
  const stable = said.map((line) => line.replace(/[0-9a-f-]{36}/g, 'ID'));
  expect(stable.slice(2, 5)).toEqual([
    'user: Ask the helper how long Conference keeps.',
    'tool: The message to agent ID was accepted.',
    'assistant: I have asked.',
  ]);
  expect(stable).toContain('user: Agent ID sent a message: Two weeks in a cool cellar.');
});
