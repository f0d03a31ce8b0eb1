/** A parent writes to a live child, and to a settled one that is woken from its log, by the length of that log. */
import { numberOf, quantile, textOf, type Case, type Figure, type Params, type Scenario } from '../figure.ts';
import { openProgram, rootId } from '../program.ts';
import { drivers, since } from '../store.ts';

const cases = (long: boolean): readonly Case[] =>
  drivers.flatMap((driver) => [
    { title: `${driver}, live`, params: { driver, to: 'live', turns: 0 } },
    ...(long ? [2, 250, 2_500] : [2, 250]).map((turns) => ({
      title: `${driver}, settled, ${String(turns * 4)} events`,
      params: { driver, to: 'settled', turns },
    })),
  ]);

const text = [{ type: 'text' as const, text: 'And plums?' }];

async function run(params: Params, folder: string): Promise<readonly Figure[]> {
  const program = await openProgram(textOf(params, 'driver'), folder);
  const parent = await program.root();
  const release = textOf(params, 'to') === 'live' ? program.hold() : undefined;
  const { id } = await program.start(parent, 'child');
  const accepted: number[] = [];
  const answered: number[] = [];
  const send = async (): Promise<void> => {
    const start = performance.now();
    await program.runtime.sendMessage(parent, id, text);
    accepted.push(since(start));
    if (release !== undefined) return;
    await program.runtime.whenQuiescent(rootId);
    answered.push(since(start));
  };
  if (release === undefined) await program.runtime.whenQuiescent(rootId);
  for (let turn = 0; turn < numberOf(params, 'turns'); turn += 1) await send();
  for (let warm = 0; warm < 50; warm += 1) await send();
  accepted.length = answered.length = 0;
  for (let message = 0; message < 200; message += 1) await send();
  release?.();
  await program[Symbol.asyncDispose]();
  const p50: Figure = { name: 'acceptance p50', unit: 'ms', value: quantile(accepted, 0.5), better: 'less' };
  if (release !== undefined) return [p50];
  return [p50, { name: 'to its answer p50', unit: 'ms', value: quantile(answered, 0.5), better: 'less' }];
}

export const messaging: Scenario = { name: 'message', cases, run };
