/** The heap that one child takes: in a model call, waiting for a child of its own, and settled. */
import { numberOf, textOf, type Case, type Figure, type Params, type Scenario } from '../figure.ts';
import { openProgram, rootId, type Program } from '../program.ts';

const cases = (long: boolean): readonly Case[] =>
  ['running', 'waiting', 'settled'].map((state) => ({
    title: state,
    params: { state, children: long ? 1_000 : 300 },
  }));

async function heapUsed(): Promise<number> {
  for (let round = 0; round < 3; round += 1) {
    await new Promise((resolve) => setImmediate(resolve));
    globalThis.gc?.();
  }
  return process.memoryUsage().heapUsed;
}

async function run(params: Params, folder: string): Promise<readonly Figure[]> {
  const children = numberOf(params, 'children');
  const state = textOf(params, 'state');
  const program = await openProgram('file', folder);
  await program.root();
  await bring(program, 'warm', 10, 'settled');
  const before = await heapUsed();
  const release = await bring(program, 'child', children, state);
  const after = await heapUsed();
  release();
  await program[Symbol.asyncDispose]();
  return [{ name: 'heap per child', unit: 'bytes', value: (after - before) / children, better: 'less' }];
}

/** Starts so many children and brings them into that state. */
async function bring(program: Program, name: string, children: number, state: string): Promise<() => void> {
  const parent = program.agents.get(rootId);
  if (parent === undefined) throw new Error('the root is gone');
  const release = state === 'settled' ? () => undefined : program.hold();
  for (let index = 0; index < children; index += 1) {
    const child = await program.start(parent, `${name}-${String(index)}`);
    // Interrupted and idle, it waits for the child that it owns.
    if (state !== 'waiting') continue;
    await program.start(child, `${name}-${String(index)}-below`);
    child.cancel('user');
    await child.whenIdle();
  }
  if (state === 'settled') await program.runtime.whenQuiescent(rootId);
  else for (const agent of program.agents.list()) await program.sessions.flush(agent.session);
  return release;
}

export const heap: Scenario = { name: 'heap', cases, run };
