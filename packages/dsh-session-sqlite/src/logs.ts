/** The unnamed logs: what each consists of, and what becomes of those that nobody refers to. */
import { eventChecksum } from './checksum.ts';
import type { Statements } from './statements.ts';

/** A stretch of events that stand in one log: `from` up to but not including `to`. */
export interface Piece {
  readonly log: number;
  readonly from: number;
  readonly to: number;
}

/** The stretches of a log in order. The last one is open: its `to` is infinite. */
export function piecesOf(sql: Statements, log: number): readonly Piece[] {
  const pieces: Piece[] = [];
  let to = Infinity;
  for (let at: number | null = log; at !== null;) {
    const row = sql.log.get(at);
    // Where the row of a log is gone, or refers forward, all before is missing.
    const [from, source]: [number, number | null] =
      row === undefined || (row.source ?? 0) >= at ? [0, null] : [row.start, row.source];
    pieces.unshift({ log: at, from, to });
    [to, at] = [from, source];
  }
  return pieces;
}

/** How many events a log holds, inherited ones included. */
export function lengthOf(sql: Statements, log: number, start: number): number {
  const last = sql.lastSeq.get(log, 0, log);
  return last === undefined ? start : last + 1;
}

/** A new log that begins with the first `length` events of another one. */
export function addFork(sql: Statements, source: number, length: number): number {
  const piece = piecesOf(sql, source).find(({ from, to }) => length > from && length <= to);
  return addLog(sql, piece?.log ?? null, length);
}

export function addLog(sql: Statements, source: number | null, start: number): number {
  return Number(sql.addLog.run(source, start).lastInsertRowid);
}

export function addEvent(sql: Statements, log: number, seq: number, json: string): void {
  sql.addEvent.run(log, seq, eventChecksum(seq, json), json);
}

/** Leaves logs to the sweeper that were referred to until now. */
export function abandon(sql: Statements, logs: readonly (number | null)[]): void {
  for (const log of logs) if (log !== null && sql.isNamed.get(log, log, log) === 0) sql.addGarbage.run(log);
}

/**
 * Takes out of the store what nobody can read any more: of this log, and of those that it referred to. A log that
 * others refer to keeps what they share. At most `limit` events go. Gives how many more might have.
 */
export function collect(sql: Statements, log: number, limit: number): number {
  let left = limit;
  for (let at: number | null = log; at !== null;) {
    sql.dropGarbage.run(at);
    const row = sql.log.get(at);
    if (row === undefined || sql.isNamed.get(at, at, at) === 1) return left;
    const shared = sql.sharedUpTo.get(at) ?? null;
    left -= sql.dropEvents.run(at, shared ?? 0, at, left).changes;
    if (left === 0) {
      sql.addGarbage.run(at);
      return left;
    }
    if (shared !== null) return left;
    sql.dropAside.run(at);
    sql.dropLog.run(at);
    at = row.source;
  }
  return left;
}
