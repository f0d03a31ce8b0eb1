import type { Agent } from '@deepseek-ai/dsh-agent';
import { id, openWorld, type World, type WorldOptions } from './world.ts';

/** The live agent of that name; throws where there is none. */
export function live(world: World, name: string): Agent {
  const agent = world.agents.get(id(name));
  if (agent === undefined) throw new Error(`${name} is not live`);
  return agent;
}

/** What each child's entry says of its condition. */
export async function conditions(world: World, parent: string): Promise<readonly string[]> {
  const found: string[] = [];
  for await (const entry of world.runtime.listChildren(id(parent))) {
    if (entry.kind === 'child') found.push(`${entry.id} ${entry.live?.condition ?? 'absent'}`);
  }
  return found;
}

/** root, and below it a chain of children, each held in a model call until `release`. */
export async function chain(names: readonly string[], options: WorldOptions = {}) {
  const scripts = Object.fromEntries(names.map((name) => [name, [{ text: `${name} is done`, hold: 'end' }]]));
  const limits = { maxDepth: names.length + 2 };
  const world = await openWorld({
    ...options,
    scripts: { ...scripts, ...options.scripts },
    subagents: { limits, ...options.subagents },
  });
  const root = await world.root();
  let parent = root.agent;
  for (const name of names) {
    await world.start(parent, name);
    parent = live(world, name);
  }
  await world.rest();
  const release = (...which: readonly string[]): void => {
    for (const name of which) world.model(name).release('end');
  };
  return { world, root, release };
}

export const ends = (world: World): readonly string[] => world.log.filter((line) => /^(gone|end)/.test(line));
