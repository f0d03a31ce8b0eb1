/**
 * Writes a log anew without what is damaged.
 * 1. What stands before the first damage is shared with the old log. Nothing of the old log is changed.
 * 2. The new log is a draft of the place until it is whole; taking its place in the Session is the one step that counts.
 * 3. Each step looks at the token, so that a repair that was overtaken comes to nothing.
 */
import type { StoredEvent, StoredRecord } from '@deepseek-ai/dsh-session';
import type { Held } from './held-places.ts';
import { addEvent, addFork, collect, lengthOf, piecesOf, type Piece } from './logs.ts';
import { requireSession } from './reading.ts';
import { isDamage, readChunk } from './records.ts';
import type { Statements } from './statements.ts';
import { PIECE, type Sweeper } from './sweeper.ts';
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

export async function repairLog(options: RepairOptions, held: Held): Promise<void> {
  try {
    await repairHeld(options, held);
  } catch (error) {
    held.hear(error);
    throw error;
  }
}

async function repairHeld(options: RepairOptions, held: Held): Promise<void> {
  const { transactions, signal, sweeper } = options;
  const old = await step(options, held, (sql, log) => oldOf(sql, held, log));
  let from = 0;
  let damaged = false;
  while (from < old.length && !damaged) {
    const chunk = await step(options, held, (sql) => readChunk(sql, old.pieces, { from, to: old.length }));
    const first = chunk.records.findIndex(({ kind }) => kind === 'damaged');
    damaged = first >= 0;
    from = damaged ? seqOf(chunk.records[first], from) : chunk.next;
  }
  if (!damaged) return;
  try {
    await rewrite(options, held, old, from);
  } catch (error) {
    const drop = (sql: Statements): void => {
      dropDraft(sql, held);
    };
    // Where that fails, the next holder drops it.
    await transactions.write(drop, { durable: false }).catch(() => undefined);
    throw error;
  } finally {
    if (signal?.aborted !== true) await sweeper.sweep();
  }
}

function step<T>(
  { transactions, signal }: RepairOptions,
  held: Held,
  work: (sql: Statements, log: number) => T,
): Promise<T> {
  return nextTurn().then(() =>
    transactions.write((sql) => work(sql, held.require(sql).log), { durable: false, signal }),
  );
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function oldOf(sql: Statements, held: Held, log: number): Old {
  const pieces = piecesOf(sql, log);
  const { own } = requireSession(sql, held.place.id);
  return { log, pieces, length: lengthOf(sql, log, pieces.at(-1)?.from ?? 0), own };
}

async function rewrite(options: RepairOptions, held: Held, old: Old, first: number): Promise<void> {
  let draft = await step(options, held, (sql): Draft => {
    const log = addFork(sql, old.log, first);
    sql.setDraft.run(log, held.place.id);
    return { log, next: first };
  });
  for (let from = first; from < old.length;) {
    const { next, grown } = await step(options, held, (sql) => {
      const chunk = readChunk(sql, old.pieces, { from, to: old.length });
      return { next: chunk.next, grown: copy(sql, { ...options, draft, old }, chunk.records) };
    });
    [from, draft] = [next, grown];
  }
  const { transactions, substitute } = options;
  await transactions.write(
    (sql) => {
      held.require(sql);
      // What is inherited must not end before the own events begin.
      fill(sql, draft, old.own, substitute);
      sql.moveSession.run(draft.log, held.place.id);
      sql.movePlace.run(draft.log, held.place.id);
      sql.setDraft.run(null, held.place.id);
      collect(sql, old.log, PIECE);
    },
    { durable: true },
  );
  held.floor = Math.max(draft.next, old.own);
}

interface Copying extends RepairOptions {
  readonly draft: Draft;
  readonly old: Old;
}

function copy(sql: Statements, copying: Copying, records: readonly StoredRecord[]): Draft {
  let { draft } = copying;
  for (const record of records) {
    if (record.kind === 'event') {
      draft = fill(sql, draft, record.seq, copying.substitute);
      addEvent(sql, draft.log, record.seq, record.json);
      draft = { log: draft.log, next: record.seq + 1 };
    } else setAside(sql, copying, seqOf(record, draft.next), record.reason);
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

function setAside(sql: Statements, { draft, old }: Copying, seq: number, reason: string): void {
  const piece = old.pieces.find(({ to }) => seq < to);
  try {
    sql.setAside.run(draft.log, seq, reason, piece?.log ?? old.log, seq);
  } catch (error) {
    if (!isDamage(error)) throw error;
    sql.setAsideWithout.run(draft.log, seq, reason);
  }
}

function dropDraft(sql: Statements, held: Held): void {
  const { id, token } = held.place;
  const draft = sql.held.get(id, token) === undefined ? undefined : sql.holder.get(id)?.draft;
  if (draft === undefined || draft === null) return;
  sql.setDraft.run(null, id);
  collect(sql, draft, PIECE);
}

function seqOf(record: StoredRecord | undefined, otherwise: number): number {
  return record?.seq ?? otherwise;
}
