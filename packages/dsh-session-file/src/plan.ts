/**
 * Which bytes of which files are the history of a Session, in order.
 * Owns: the meaning of `prefix.json`, `start.json` and the seals. Does not own: who may write them.
 * I1. A seal is made once and never changed. Segment n+1 follows segment n exactly when n has a seal.
 * I2. What stands in a segment beyond its seal is not history.
 * I3. No file of a log is ever shortened or written over.
 */
import { join } from 'node:path';
import { sessionError } from '@deepseek-ai/dsh-session';
import { PREFIX, prefixName, sealName, segmentName, START } from './layout.ts';
import type { FilePort } from './file-port.ts';

/** A stretch of whole lines. */
export interface Piece {
  readonly path: string;
  /** The seq of its first event. */
  readonly from: number;
  /** Where it ends, and the seq there; the last segment ends where its whole lines do. */
  readonly end?: { readonly bytes: number; readonly seq: number };
  readonly own: boolean;
}

export interface Plan {
  readonly pieces: readonly Piece[];
  /** The number of the segment that has no seal; its file may not be there yet. */
  readonly segment: number;
  /** The seq at which the own events start, and the inherited ones end. */
  readonly ownFrom: number;
}

export interface Seal {
  readonly bytes: number;
  /** The seq after the last event before the seal. */
  readonly length: number;
}

/** One file of an inherited prefix. */
export interface PrefixFile {
  readonly file: string;
  readonly bytes: number;
  /** The seq of its first event. */
  readonly from: number;
  readonly count: number;
}

/** After a repair. */
export interface Start {
  /** The first segment that counts. */
  readonly segment: number;
  /** The seq that the repaired log begins with. */
  readonly seq: number;
  /** The inherited events still count. */
  readonly prefix: boolean;
  /** What the repair wrote, all of it before the first segment. A store of before has it in that segment. */
  readonly repaired?: { readonly file: string } & Seal;
}

async function loadJson<T>(files: FilePort, path: string): Promise<T | undefined> {
  const bytes = await files.load(path);
  if (bytes === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'));
    if (typeof value === 'object' && value !== null) return value as T;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw sessionError('DAMAGED_LOG', `${path}, which says where a log is, cannot be read`);
}

const loadSeal = (files: FilePort, folder: string, segment: number): Promise<Seal | undefined> =>
  loadJson<Seal>(files, join(folder, sealName(segment)));

async function prefixPieces(files: FilePort, folder: string): Promise<Piece[]> {
  const prefix = await loadJson<{ readonly files: readonly PrefixFile[] }>(files, join(folder, PREFIX));
  return (prefix?.files ?? []).map(({ file, bytes, from, count }) => ({
    path: join(folder, file),
    from,
    end: { bytes, seq: from + count },
    own: false,
  }));
}

/** `names`: what the folder holds, which spares looking for files that are not there. */
export async function loadPlan(files: FilePort, folder: string, names: readonly string[]): Promise<Plan> {
  const there = new Set(names);
  const start = there.has(START) ? await loadJson<Start>(files, join(folder, START)) : undefined;
  const pieces = there.has(PREFIX) && start?.prefix !== false ? await prefixPieces(files, folder) : [];
  const ownFrom = pieces.at(-1)?.end?.seq ?? 0;
  let from = start?.seq ?? ownFrom;
  if (start?.repaired !== undefined) {
    const { file, bytes, length } = start.repaired;
    if (bytes > 0) pieces.push({ path: join(folder, file), from, end: { bytes, seq: length }, own: true });
    from = length;
  }
  let segment = start?.segment ?? 1;
  for (; there.has(sealName(segment)); segment += 1) {
    const seal = await loadSeal(files, folder, segment);
    if (seal === undefined) break;
    if (seal.bytes > 0) {
      const end = { bytes: seal.bytes, seq: seal.length };
      pieces.push({ path: join(folder, segmentName(segment)), from, end, own: true });
    }
    from = seal.length;
  }
  pieces.push({ path: join(folder, segmentName(segment)), from, own: true });
  return { pieces, segment, ownFrom };
}

export const prefixText = (list: readonly PrefixFile[]): string => JSON.stringify({ files: list });
export const prefixFileAt = (index: number): string => prefixName(index);
