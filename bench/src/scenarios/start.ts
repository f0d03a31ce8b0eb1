/** One parent starts children with a task of one line, one after the other and as a burst; each answers once. */
import { numberOf, quantile, textOf, type Case, type Figure, type Params, type Scenario } from '../figure.ts';
import { openProgram, rootId, type Program } from '../program.ts';
import { drivers, peakMegabytes, since } from '../store.ts';

const cases = (long: boolean): readonly Case[] =>
  drivers.flatMap((driver) =>
    ['one by one', 'as a burst'].map((way) => ({
      title: `${driver}, ${way}`,
      params: { driver, way, children: long ? 1_000 : 300 },
    })),
  );

async function run(params: Params, folder: string): Promise<readonly Figure[]> {
  const children = numberOf(params, 'children');
  const before = peakMegabytes();
  const program = await openProgram(textOf(params, 'driver'), folder);
  const parent = await program.root();
  // Code that was never run is not what is measured.
  await timed(
    program,
    Array.from({ length: 10 }, (_, index) => `warm-${String(index)}`),
    false,
  );
  await program.runtime.whenQuiescent(rootId);
  const names = Array.from({ length: children }, (_, index) => `child-${String(index)}`);
  const start = performance.now();
  const waits = await timed(program, names, textOf(params, 'way') === 'as a burst');
  await program.runtime.whenQuiescent(rootId);
  const passed = since(start);
  await program.sessions.flush(parent.session);
  await program[Symbol.asyncDispose]();
  return [
    { name: 'acceptance p50', unit: 'ms', value: quantile(waits, 0.5), better: 'less' },
    { name: 'acceptance p99', unit: 'ms', value: quantile(waits, 0.99), better: 'less' },
    { name: 'to all settled', unit: 'children/s', value: (children / passed) * 1_000, better: 'more' },
    { name: 'peak', unit: 'MB', value: peakMegabytes() - before, better: 'less' },
  ];
}

/** How long each start took until its acceptance, in milliseconds. */
async function timed(
  program: Program,
  names: readonly string[],
  atOnce: boolean,
): Promise<readonly number[]> {
  const parent = program.agents.get(rootId);
  if (parent === undefined) throw new Error('the root is gone');
  const one = async (name: string): Promise<number> => {
    const start = performance.now();
    await program.start(parent, name);
    return since(start);
  };
  if (atOnce) return Promise.all(names.map(one));
  const waits: number[] = [];
  for (const name of names) waits.push(await one(name));
  return waits;
}

export const starting: Scenario = { name: 'start', cases, run };
