import { expect, it, vi } from 'vitest';

it('delegates by tools, and lists what they made [T6 T7 T8]', async () => {
  const said: string[] = [];
  vi.spyOn(console, 'log').mockImplementation((line) => said.push(String(line)));
  await import('../06-delegation-tools.ts');
  const stable = said.map((line) => line.replace(/[0-9a-f-]{36}/g, 'ID'));
  expect(stable.filter((line) => line.startsWith('tool: started'))).toEqual([
    'tool: started subagent ID',
    'tool: started subagent ID',
  ]);
  const listed = stable.find((line) => line.startsWith('tool: ID')) ?? '';
  expect(listed.split('\n').toSorted()).toEqual(
    ['ID "plums" (ended: completed)', 'tool: ID "pears" (ended: completed)'].toSorted(),
  );
});
