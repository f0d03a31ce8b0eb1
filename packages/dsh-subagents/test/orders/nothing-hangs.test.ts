/** One agent at each level of a tree does not let go, in each way; a sibling and another tree are beside it. */
import { describe, expect, it } from 'vitest';
import type { SubagentError } from '../../src/index.ts';
import { live } from '../rig/tree.ts';
import { id, openWorld, type World } from '../rig/world.ts';
import { brokenEnd, deafModel, silentFor } from './hangs.ts';
import { addDeafTool, call } from './tools.ts';

const levels = ['a', 'b', 'c', 'd'] as const;
const ways = ['tool', 'model', 'flush', 'disposal'] as const;
type Way = (typeof ways)[number];

const graceMs = 100;
const disposalMs = 1_000;

async function treeWith(way: Way, faulty: string) {
  const held = [{ text: 'at work', hold: 'end' }];
  const scripts = Object.fromEntries(
    [...levels, 'other', ...levels.map((level) => `${level}-sibling`)].map((name) => [name, held]),
  );
  const driver = silentFor(faulty);
  const world = await openWorld({
    // The agent itself would leave a tool behind after its grace time.
    ...{ wrapDriver: driver.wrap, limits: { graceMs: way === 'tool' ? 2 * disposalMs : graceMs } },
    scripts: { ...scripts, ...(way === 'tool' ? { [faulty]: [call('deaf')] } : {}) },
    subagents: { timeouts: { disposalMs, flushMs: graceMs }, limits: { maxDepth: levels.length } },
  });
  addDeafTool(world);
  if (way === 'model') deafModel(world, faulty);
  const root = await world.root();
  let parent = root.agent;
  for (const level of levels) {
    await world.start(parent, level);
    await world.start(parent, `${level}-sibling`);
    parent = live(world, level);
  }
  const other = await world.root('root 2');
  await world.start(other.agent, 'other');
  await world.rest();
  if (way === 'disposal') brokenEnd(world, faulty, new Error('will not go'));
  if (way === 'flush') driver.silence();
  return { world, root };
}

/** What the ending said, after no more than its bound has passed; fails where it goes on. */
async function within(world: World, ending: Promise<unknown>): Promise<{ readonly error?: unknown }> {
  const seen: { error?: unknown }[] = [];
  ending.then(
    () => seen.push({}),
    (error: unknown) => seen.push({ error }),
  );
  for (let passed = 0; passed <= disposalMs && seen.at(0) === undefined; passed += graceMs) {
    await world.rest();
    world.clock.advance(graceMs);
  }
  await world.rest();
  const [first] = seen;
  if (first === undefined) throw new Error(`nothing came of it within ${String(disposalMs)} ms`);
  return first;
}

const below = (world: World): readonly string[] =>
  world.agents
    .list()
    .map((agent) => agent.id as string)
    .filter((name) => !name.startsWith('root'));

/** What the failure of the drain holds: what did not end, and whoever waited for it. */
function named(way: Way, faulty: string): readonly string[] | undefined {
  // An agent lets go of its model by itself, and a flush that fails is reported and no failure (M30).
  if (way === 'model' || way === 'flush') return undefined;
  if (way === 'disposal') return ['Error: will not go'];
  return levels
    .filter((level) => level <= faulty)
    .map(
      (level) =>
        `Error: ${level === faulty ? 'the driver of' : 'what is below'} ${level} did not end in time`,
    );
}

describe.each(ways)('with a %s that does not let go', (way) => {
  it.each(levels)(
    'at %s, a drain below the root ends in its bound, child-first, and names it [M31 M41 M42]',
    async (faulty) => {
      const { world, root } = await treeWith(way, faulty);
      const { error } = await within(world, world.runtime.drainContinuableDescendants([root.agent]));
      expect(below(world)).toEqual(['other']);
      const gone = world.log.flatMap((line) =>
        line.startsWith('gone ') ? [line.slice('gone '.length)] : [],
      );
      expect(gone.filter((name) => (levels as readonly string[]).includes(name))).toEqual(
        levels.toReversed(),
      );
      expect(gone).toHaveLength(2 * levels.length);
      if (way === 'flush')
        expect(JSON.stringify(world.diagnostics)).toContain(`What ${faulty} has not yet written`);
      expect(error === undefined ? undefined : (error as SubagentError).errors?.map(String)).toEqual(
        named(way, faulty),
      );
    },
  );

  it.each(levels)('at %s, the whole program can still be left [M41 A32]', async (faulty) => {
    const { world } = await treeWith(way, faulty);
    await within(world, Promise.resolve(world.agents[Symbol.asyncDispose]()));
    expect(world.agents.list()).toEqual([]);
    expect(world.agents.get(id(faulty))).toBeUndefined();
  });
});
