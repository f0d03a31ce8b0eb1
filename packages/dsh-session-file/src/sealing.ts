/**
 * Where a new holder goes on writing.
 * I1. A holder that gave the place back is continued in its segment, exactly where it stopped.
 * I2. Everything else is sealed at the whole lines that are there once the new epoch is, and a new segment
 *     begins: what a late writer still adds lies behind the seal (plan.ts, I2).
 */
import { join } from 'node:path';
import { PASSING, type Atomic } from './atomic.ts';
import type { EpochRecord } from './epoch-record.ts';
import type { FilePort } from './file-port.ts';
import { sealName } from './layout.ts';
import { endOf } from './line-reader.ts';
import { loadPlan, type Plan, type Seal } from './plan.ts';

/** The end of what is written. */
export interface WritingPoint {
  readonly segment: number;
  readonly bytes: number;
  /** The seq of the next event. */
  readonly length: number;
}

/** `false`: the segment has a seal already, of somebody else. Its name is durable with the first batch behind it. */
export async function seal(atomic: Atomic, folder: string, point: WritingPoint): Promise<boolean> {
  const text: Seal = { bytes: point.bytes, length: point.length };
  const made = await atomic.create(join(folder, sealName(point.segment)), JSON.stringify(text), true);
  return made === 'linked';
}

/** The end of the last segment as it stands, and how many bytes the file has. */
export async function measure(
  files: FilePort,
  plan: Plan,
): Promise<WritingPoint & { readonly size: number }> {
  const last = plan.pieces.at(-1);
  const none = { segment: plan.segment, bytes: 0, length: last?.from ?? 0, size: 0 };
  const file = last === undefined ? undefined : await files.openRead(last.path);
  if (file === undefined || last === undefined) return none;
  try {
    const size = await file.size();
    const end = size === 0 ? { bytes: 0, seq: last.from } : await endOf(file, last.from);
    return { segment: plan.segment, bytes: end.bytes, length: end.seq, size };
  } finally {
    await file.close();
  }
}

export async function writingPoint(
  files: FilePort,
  atomic: Atomic,
  folder: string,
  before: EpochRecord | undefined,
): Promise<WritingPoint> {
  const planNow = async (): Promise<Plan> => loadPlan(files, folder, (await files.names(folder)) ?? []);
  for (;;) {
    const plan = await planNow();
    const { size, ...found } = await measure(files, plan);
    const left = before?.released;
    if (left?.segment === plan.segment && left.bytes === size && found.bytes === size) return found;
    // Whole lines behind the point of release stay: after a crash of the machine, that record may be an old one.
    await sweep(files, folder);
    // A repair of the old holder has come to its end before that, or never does.
    if ((await planNow()).segment !== plan.segment) continue;
    if (found.bytes > 0) await settle(files, plan);
    if (await seal(atomic, folder, found))
      return { segment: plan.segment + 1, bytes: 0, length: found.length };
  }
}

/** A holder that was killed may have left lines in the machine's memory alone: what is sealed counts as durable. */
async function settle(files: FilePort, plan: Plan): Promise<void> {
  const path = plan.pieces.at(-1)?.path;
  if (path === undefined || (await files.facts(path))?.kind !== 'file') return;
  // Not all systems let a file be made durable by one who may only read it.
  const file = await files.openWrite(path);
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Removes the drafts of a holder that was killed. */
async function sweep(files: FilePort, folder: string): Promise<void> {
  for (const name of (await files.names(folder)) ?? []) {
    if (name.startsWith(PASSING)) await files.remove(join(folder, name));
  }
}
