/**
 * What a memory medium holds under one id.
 * I1. A log only grows, or is replaced as a whole: forks that refer to it never see it change.
 */
import type { BatchPart, StoredRecord } from '../driver.ts';
import { sessionError, type PlaceHolder } from '../errors.ts';
import { isRecord } from '../json.ts';

/** The leading records of another log. */
export interface SharedPrefix {
  readonly log: StoredLog;
  readonly length: number;
}

export interface StoredLog {
  readonly prefix?: SharedPrefix;
  /** From `prefix.length` on. */
  readonly own: StoredRecord[];
}

export interface Stored {
  header: string;
  readonly parent?: string;
  log: StoredLog;
  summary?: string;
  /** Whose place was taken over, as long as nothing was written since (S20). */
  takenOver?: PlaceHolder | undefined;
}

/** What `damage` does: half a last record, a changed byte in a record, a header that is none. */
export type MemoryDamage = 'torn-tail' | 'flipped-byte' | 'garbage-header';

const headBytes = 64 * 1024;

const inherited = (log: StoredLog): number => log.prefix?.length ?? 0;
export const lengthOf = (log: StoredLog): number => inherited(log) + log.own.length;

export function newStored(header: string, prefix: SharedPrefix | undefined): Stored {
  const parsed: unknown = JSON.parse(header);
  const parent: unknown = isRecord(parsed) ? parsed['parentSession'] : undefined;
  const log: StoredLog = prefix === undefined ? { own: [] } : { prefix, own: [] };
  return typeof parent === 'string' ? { header, parent, log } : { header, log };
}

/** Takes the events of a part in, behind its base: of a try that failed half way, nothing stays. */
export function takeIn(stored: Stored, { base, events, summary }: BatchPart): void {
  const { log } = stored;
  log.own.length = Math.min(log.own.length, base - inherited(log));
  for (const event of events) log.own.push(event);
  if (events.length > 0) stored.takenOver = undefined;
  if (summary !== undefined) stored.summary = summary;
}

/** The first events of a log, for a fork. Throws `INVALID_PREFIX` where there are not so many. */
export function share(id: string, { log }: Stored, length: number): SharedPrefix {
  if (length > lengthOf(log))
    throw sessionError('INVALID_PREFIX', `session ${id} holds ${lengthOf(log)} events, not ${length}`);
  return { log, length };
}

/** The records from `from` up to but not including `to`, the inherited ones included. */
export function recordsOf(log: StoredLog, from: number, to: number): readonly StoredRecord[] {
  const first = inherited(log);
  const own = log.own.slice(Math.max(0, from - first), Math.max(0, to - first));
  if (log.prefix === undefined || from >= first) return own;
  return [...recordsOf(log.prefix.log, from, Math.min(to, first)), ...own];
}

/** The first own records, as far as a head shows them. */
export function startOf(log: StoredLog): readonly StoredRecord[] {
  const start: StoredRecord[] = [];
  let bytes = 0;
  for (const record of log.own) {
    bytes += record.kind === 'event' ? record.json.length : record.bytes;
    if (bytes > headBytes) break;
    start.push(record);
  }
  return start;
}

export function damage(stored: Stored, kind: MemoryDamage, seq: number | undefined): void {
  const { log } = stored;
  switch (kind) {
    case 'torn-tail':
      // Half a record is no record: nothing but its absence can be seen.
      log.own.pop();
      return;
    case 'garbage-header':
      stored.header = '\u0000garbage';
      return;
    case 'flipped-byte': {
      const index = (seq ?? 0) - inherited(log);
      const record = log.own[index];
      if (record?.kind !== 'event') throw new RangeError(`there is no own record ${seq ?? 0} to damage`);
      const raw = `\u0000${record.json.slice(1)}`;
      const reason = 'a byte was changed';
      log.own[index] = { kind: 'damaged', seq: record.seq, reason, bytes: raw.length, raw };
    }
  }
}

/** The same log, with a substitute for each record that is no event; what is damaged at its end goes. */
export function mend(log: StoredLog, substitute: (seq: number) => StoredRecord): StoredLog {
  const first = inherited(log);
  const kept = log.own.findLastIndex(({ kind }) => kind === 'event');
  const own = log.own
    .slice(0, kept + 1)
    .map((record, index) => (record.kind === 'event' ? record : substitute(first + index)));
  if (log.prefix === undefined) return { own };
  return { prefix: { ...log.prefix, log: mend(log.prefix.log, substitute) }, own };
}
