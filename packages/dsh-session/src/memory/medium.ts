/**
 * What memory drivers write to. Several drivers over one medium stand for several processes.
 * 1. A stored log only grows, or is replaced as a whole: forks that refer to it never see it change.
 */
import { sessionError, type PlaceHolder } from '../errors.ts';
import type { StoredRecord } from '../driver.ts';
import type { SessionId } from '../ids.ts';

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
  unsaid?: PlaceHolder | undefined;
}

export interface Holding {
  readonly token: string;
  readonly holder: PlaceHolder;
  readonly lost: AbortController;
  /** `silent`: for longer than its lease, so that it hears of a take-over. `dead`: it hears nothing any more. */
  condition: 'live' | 'silent' | 'dead';
  /** Of a Session that is not stored yet. */
  readonly prefix?: SharedPrefix;
}

export interface MediumState {
  readonly sessions: Map<SessionId, Stored>;
  readonly holdings: Map<SessionId, Holding>;
  /** How many drivers and holdings there were: what names the next one. */
  processes: number;
  tokens: number;
}

/** What `damage` does: half a last record, a changed byte in a record, a header that is none. */
export type MemoryDamage = 'torn-tail' | 'flipped-byte' | 'garbage-header';

/** Handed to several `memoryDriver`s, it is what they share. */
export interface MemoryMedium {
  /** Damages what is stored under `id`; `flipped-byte` needs the `seq` of an own record. */
  damage(id: SessionId, kind: MemoryDamage, seq?: number): void;
  /** The lease of whoever holds the place of `id` runs out, though the holder lives. */
  expire(id: SessionId): void;
}

export interface MediumWithState extends MemoryMedium {
  readonly state: MediumState;
}

/** An empty medium. */
export function memoryMedium(): MemoryMedium {
  const state: MediumState = { sessions: new Map(), holdings: new Map(), processes: 0, tokens: 0 };
  const medium: MediumWithState = {
    state,
    damage(id, kind, seq) {
      damage(storedOf(state, id), kind, seq);
    },
    expire(id) {
      const holding = state.holdings.get(id);
      if (holding?.condition === 'live') holding.condition = 'silent';
    },
  };
  return medium;
}

export function storedOf(state: MediumState, id: SessionId): Stored {
  const stored = state.sessions.get(id);
  if (stored === undefined) throw sessionError('SESSION_NOT_FOUND', `session ${id} is not stored`);
  return stored;
}

const inherited = (log: StoredLog): number => log.prefix?.length ?? 0;
export const lengthOf = (log: StoredLog): number => inherited(log) + log.own.length;

/** The records from `from` up to but not including `to`, the inherited ones included. */
export function recordsOf(log: StoredLog, from: number, to: number): readonly StoredRecord[] {
  const first = inherited(log);
  const own = log.own.slice(Math.max(0, from - first), Math.max(0, to - first));
  if (log.prefix === undefined || from >= first) return own;
  return [...recordsOf(log.prefix.log, from, Math.min(to, first)), ...own];
}

function damage(stored: Stored, kind: MemoryDamage, seq: number | undefined): void {
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
      log.own[index] = {
        kind: 'damaged',
        seq: record.seq,
        reason: 'a byte was changed',
        bytes: raw.length,
        raw,
      };
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
  const prefix =
    log.prefix === undefined
      ? undefined
      : { log: mend(log.prefix.log, substitute), length: log.prefix.length };
  return prefix === undefined ? { own } : { prefix, own };
}
