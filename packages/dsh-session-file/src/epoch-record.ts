/**
 * What an epoch file says, and how it is read where a crash has left less of it.
 * I1. A record that is not whole counts as that of a holder of whom nothing is known but since when.
 */
import { join } from 'node:path';
import type { PlaceHolder } from '@deepseek-ai/dsh-session';
import type { FilePort } from './file-port.ts';
import type { Holder } from './holders.ts';
import { epochName, epochOf, releasedName, summaryName } from './layout.ts';

export interface EpochRecord extends Holder {
  readonly id: string;
  readonly token: string;
  /** The holder means to create the Session: until there is a header, nothing here is worth keeping. */
  readonly creating: boolean;
  /** The holder gave the place back, and what it wrote ends here. */
  readonly released?: { readonly segment: number; readonly bytes: number; readonly length: number };
  /** What was kept beside the log when this was written (S27): an overtaken holder may change what it had kept. */
  readonly summary?: string;
  /** Whose place the holder took over without having written anything by then (S20). */
  readonly unsaid?: PlaceHolder | undefined;
}

export interface NumberedRecord {
  readonly number: number;
  readonly record: EpochRecord;
}

/** Where what the holder wrote ends is not known. No segment has this number. */
export const SOMEWHERE = { segment: 0, bytes: 0, length: 0 } as const;

/** The record of the newest holder, as it stands, whatever its condition. */
export async function newestRecord(
  files: FilePort,
  folder: string,
  names: readonly string[],
): Promise<NumberedRecord | undefined> {
  const number = Math.max(0, ...names.map((name) => epochOf(name) ?? 0));
  if (number === 0) return undefined;
  const released = releasedName(number);
  const own = (): Promise<EpochRecord | undefined> => loadRecord(files, join(folder, epochName(number)));
  const record = names.includes(released)
    ? ((await parseRecord(files, join(folder, released))) ?? wordless(await own()))
    : await own();
  return record === undefined ? undefined : { number, record };
}

/** It gave back, and only the words are missing: what it began with still counts. */
function wordless(record: EpochRecord = unknownHolder(0)): EpochRecord {
  return { ...record, creating: false, released: SOMEWHERE };
}

/** `undefined`: there is no such file, or a crash of the machine left it without its content. */
async function parseRecord(files: FilePort, path: string): Promise<EpochRecord | undefined> {
  try {
    const record = JSON.parse((await files.load(path))?.toString('utf8') ?? '') as EpochRecord;
    return isRecord(record) ? record : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function isRecord({ pid, since, leaseMs, writer, host }: Partial<EpochRecord>): boolean {
  const numbers = [pid, since, leaseMs].every((value) => typeof value === 'number');
  return numbers && typeof writer === 'string' && typeof host === 'string';
}

/** An epoch file without content counts from its last change on. */
async function loadRecord(files: FilePort, path: string): Promise<EpochRecord | undefined> {
  const record = await parseRecord(files, path);
  const facts = record === undefined ? await files.facts(path) : undefined;
  return facts === undefined ? record : unknownHolder(facts.changedAt);
}

function unknownHolder(since: number): EpochRecord {
  const nobody = { id: '', token: '', creating: false, pid: 0, host: 'unknown', writer: 'unknown' };
  return { ...nobody, leaseMs: 30_000, since };
}

/** The summary that is kept for whoever takes the place after this holder. */
export async function keptSummary(
  files: FilePort,
  folder: string,
  { number, record }: NumberedRecord,
): Promise<string | undefined> {
  if (record.released !== undefined) return record.summary;
  const own = await files.load(join(folder, summaryName(number))).catch(() => undefined);
  return own?.toString('utf8').split('\n', 1)[0] ?? record.summary;
}
