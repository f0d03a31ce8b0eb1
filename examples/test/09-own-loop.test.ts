import { readFileSync } from 'node:fs';
import { expect, it, vi } from 'vitest';

it('keeps continuable children over a loop of its own, through the narrow port [M3 M20 M33]', async () => {
  const said: unknown[] = [];
  vi.spyOn(console, 'log').mockImplementation((line) => said.push(line));
  await import('../09-own-loop.ts');
  expect(said).toEqual([
    'fruit ended: completed. I was shown 1 messages.',
    'fruit ended: completed. I was shown 3 messages.',
    'fruit: completed',
  ]);
});

it('uses nothing of the loop of dsh-agent but its types', () => {
  for (const file of ['09-own-loop.ts', 'own-loop/agent.ts', 'own-loop/agents.ts']) {
    const source = readFileSync(new URL(`../${file}`, import.meta.url), 'utf8');
    expect(source).not.toMatch(/^import \{[^}]*\} from '@deepseek-ai\/dsh-agent/m);
  }
});
