/**
 * Writes a log anew without what is damaged.
 * I1. What stands before the first damage is shared with the old log. Nothing of the old log is changed.
 * I2. The new log is a draft of the place until it is whole. That the Session refers to it instead is the one step
 *     that counts.
 * I3. Each step that writes looks at the token, so that a repair that was overtaken comes to nothing.
 * I4. The old log is read outside of what is written: where a broken page was met, SQLite commits nothing.
 */
import type { StoredEvent, StoredRecord } from '@deepseek-ai/dsh-session';
import type { Held } from './held.ts';
import { abandon, addEvent, addFork, lengthOf, piecesOf, type Piece } from './logs.ts';
import { notFound, requireSession } from './reading.ts';
import { isDamage, readChunk } from './records.ts';
import type { Statements } from './statements.ts';
import type { Sweeper } from './sweeper.ts';
import type { Transactions } from './transactions.ts';

export interface RepairOptions {
  readonly transactions: Transactions;
  readonly sweeper: Sweeper;
  readonly substitute: (seq: number) => StoredEvent;
  readonly signal?: AbortSignal | undefined;
}

/** The log as it was found. */
interface Old {
  readonly log: number;
  readonly pieces: readonly Piece[];
  readonly length: number;
  /** The first own seq. */
  readonly own: number;
}

interface Draft {
  readonly log: number;
  /** The seq that it goes on with. */
  readonly next: number;
}

interface Found {
  readonly records: readonly StoredRecord[];
  /** Of the damaged ones, by seq. */
  readonly bytes: ReadonlyMap<number, Buffer>;
  readonly next: number;
}

export async function repairLog(options: RepairOptions, held: Held): Promise<void> {
  try {
    const old = await write(options, held, (sql, log) => oldOf(sql, held, log));
    const first = await firstDamage(options, held, old);
    if (first !== undefined) await replace(options, held, old, first);
  } catch (error) {
    held.hear(error);
    throw error;
  }
}

async function firstDamage(options: RepairOptions, held: Held, old: Old): Promise<number | undefined> {
  for (let from = 0; from < old.length;) {
    const { records, next } = await find(options, held, old, from);
    const damaged = records.find(({ kind }) => kind === 'damaged');
    if (damaged !== undefined) return damaged.seq ?? from;
    from = next;
  }
  return undefined;
}

async function replace(options: RepairOptions, held: Held, old: Old, first: number): Promise<void> {
  const { transactions, sweeper } = options;
  try {
    const draft = await copyLog(options, held, old, first);
    await write({ ...options, durable: true }, held, (sql) => {
      // What is inherited must not end before the own events begin.
      fill(sql, draft, old.own, options.substitute);
      sql.moveSession.run(draft.log, held.place.id);
      sql.movePlace.run(draft.log, held.place.id);
      sql.setDraft.run(null, held.place.id);
      abandon(sql, [old.log]);
    });
    held.floor = Math.max(draft.next, old.own);
  } catch (error) {
    const drop = (sql: Statements): void => {
      dropDraft(sql, held);
    };
    // Where that fails, the next holder drops it.
    await transactions.write(drop, { durable: false, relieves: true }).catch(() => undefined);
    throw error;
  } finally {
    await sweeper.sweep();
  }
}

async function copyLog(options: RepairOptions, held: Held, old: Old, first: number): Promise<Draft> {
  let draft = await write(options, held, (sql): Draft => {
    const log = addFork(sql, old.log, first);
    sql.setDraft.run(log, held.place.id);
    return { log, next: first };
  });
  for (let from = first; from < old.length;) {
    const found = await find(options, held, old, from);
    draft = await write(options, held, (sql) => copy(sql, draft, found, options.substitute));
    from = found.next;
  }
  return draft;
}

function write<T>(
  { transactions, signal, durable = false }: RepairOptions & { readonly durable?: boolean },
  held: Held,
  work: (sql: Statements, log: number) => T,
): Promise<T> {
  return transactions.write((sql) => work(sql, held.require(sql).log), { durable, signal });
}

async function find(
  { transactions, signal }: RepairOptions,
  { place }: Held,
  { pieces, length }: Old,
  from: number,
): Promise<Found> {
  await new Promise<void>((resolve) => setImmediate(resolve));
  const found = await transactions.read((sql): Found => {
    const { records, next } = readChunk(sql, pieces, { from, to: length });
    return { records, next, bytes: bytesOf(sql, pieces, records) };
  }, signal);
  if (found === undefined) throw notFound(place.id);
  return found;
}

function bytesOf(
  sql: Statements,
  pieces: readonly Piece[],
  records: readonly StoredRecord[],
): ReadonlyMap<number, Buffer> {
  const found = new Map<number, Buffer>();
  for (const { kind, seq } of records) {
    const piece = pieces.find(({ to }) => seq !== undefined && seq < to);
    if (kind !== 'damaged' || seq === undefined || piece === undefined) continue;
    try {
      const bytes = sql.eventBytes.get(piece.log, seq);
      if (bytes !== undefined) found.set(seq, bytes);
    } catch (error) {
      if (!isDamage(error)) throw error;
    }
  }
  return found;
}

function oldOf(sql: Statements, held: Held, log: number): Old {
  const pieces = piecesOf(sql, log);
  const { own } = requireSession(sql, held.place.id);
  return { log, pieces, length: lengthOf(sql, log, pieces.at(-1)?.from ?? 0), own };
}

function copy(sql: Statements, before: Draft, found: Found, substitute: RepairOptions['substitute']): Draft {
  let draft = before;
  for (const record of found.records) {
    const seq = record.seq ?? draft.next;
    if (record.kind === 'event') {
      draft = fill(sql, draft, seq, substitute);
      addEvent(sql, draft.log, seq, record.json);
      draft = { log: draft.log, next: seq + 1 };
    } else sql.setAside.run(draft.log, seq, record.reason, found.bytes.get(seq) ?? null);
  }
  return draft;
}

function fill(
  sql: Statements,
  { log, next }: Draft,
  to: number,
  substitute: RepairOptions['substitute'],
): Draft {
  for (let seq = next; seq < to; seq += 1) addEvent(sql, log, seq, substitute(seq).json);
  return { log, next: Math.max(next, to) };
}

function dropDraft(sql: Statements, held: Held): void {
  const { id, token } = held.place;
  if (sql.held.get(id, token) === undefined) return;
  const draft = sql.holder.get(id)?.draft ?? null;
  sql.setDraft.run(null, id);
  abandon(sql, [draft]);
}
