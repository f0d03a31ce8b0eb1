import { expect, it, vi } from 'vitest';

it('lets a child settle, and goes on with it afterwards', async () => {
  const said: unknown[] = [];
  vi.spyOn(console, 'log').mockImplementation((line) => said.push(line));
  await import('../03-continuable-child.ts');
  expect(said).toEqual([
    'fruit ended: completed. Pears are ripe in September.',
    'in memory: false',
    'fruit ended: completed. Plums are ripe in August.',
    'the parent was told by subagent-settled',
    'the parent was told by subagent-settled',
  ]);
});
