/** Tools for tests of orders: what a model's call does is a function of the test. */
import type { Agent } from '@deepseek-ai/dsh-agent';
import type { World } from '../rig/world.ts';

/** Registers a tool without arguments. */
export function addTool(
  { tools }: World,
  name: string,
  execute: (agent: Agent) => string | Promise<string>,
): void {
  tools.register({
    ...{ name, description: `Does ${name}.` },
    inputSchema: { json: { type: 'object' }, parse: (value) => ({ value }) },
    execute: (_input, { agent }) => execute(agent),
  });
}

/** One call of that tool. */
export const call = (tool: string) => ({ calls: [{ tool }] });

/** The tool that never ends and heeds nothing; `late` lets it answer all the same. */
export function addDeafTool(world: World): { late(text: string): void } {
  const waiting: ((text: string) => void)[] = [];
  addTool(world, 'deaf', () => new Promise((resolve) => waiting.push(resolve)));
  return {
    late: (text) => {
      for (const answer of waiting) answer(text);
    },
  };
}
