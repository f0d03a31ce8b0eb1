/** A live tree in which every agent holds a model call is drained, child-first. */
import type { Agent } from '@deepseek-ai/dsh-agent';
import { numberOf, textOf, type Case, type Figure, type Params, type Scenario } from '../figure.ts';
import { openProgram, rootId, type Program } from '../program.ts';
import { drivers, since } from '../store.ts';

const cases = (): readonly Case[] =>
  drivers.flatMap((driver) => [
    { title: `${driver}, a chain of 64`, params: { driver, width: 1, depth: 64 } },
    { title: `${driver}, a tree of 1,364`, params: { driver, width: 4, depth: 5 } },
  ]);

async function run(params: Params, folder: string): Promise<readonly Figure[]> {
  const program = await openProgram(textOf(params, 'driver'), folder);
  const root = await program.root();
  program.hold();
  const width = numberOf(params, 'width');
  let level: readonly Agent[] = [root];
  for (let depth = 0; depth < numberOf(params, 'depth'); depth += 1)
    level = await grow(program, level, width);
  for (const agent of program.agents.list()) await program.sessions.flush(agent.session);
  const gone = new Set<string>();
  const early: string[] = [];
  const parents = new Map(
    program.agents.list().map((agent) => [agent.id, agent.session.header.parentSession]),
  );
  program.agents.on('agent/disposed', ({ agent }) => {
    gone.add(agent.id);
    const parent = parents.get(agent.id);
    if (parent !== undefined && parent !== rootId && gone.has(parent)) early.push(parent);
  });
  const start = performance.now();
  await program.runtime.drain();
  const passed = since(start);
  if (early.length > 0 || gone.size !== parents.size - 1) throw new Error('a parent went before its child');
  await program[Symbol.asyncDispose]();
  return [{ name: 'drain', unit: 'ms', value: passed, better: 'less' }];
}

async function grow(program: Program, level: readonly Agent[], width: number): Promise<readonly Agent[]> {
  const next: Agent[] = [];
  for (const parent of level)
    for (let index = 0; index < width; index += 1)
      next.push(await program.start(parent, `${parent.id}.${String(index)}`));
  return next;
}

export const draining: Scenario = { name: 'drain', cases, run };
