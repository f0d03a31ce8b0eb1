/**
 * The records of a log, in bounded chunks. Changes nothing.
 * I1. A record that cannot be read hides no other one: what is missing or damaged is told in its place.
 * I2. Every seq below the length of the log is told once, as an event or within damage.
 */
import type { StoredDamage, StoredRecord } from '@deepseek-ai/dsh-session';
import { eventChecksum } from './checksum.ts';
import { lengthOf, type Piece } from './logs.ts';
import type { EventRow, Statements } from './statements.ts';

export interface Chunk {
  readonly records: readonly StoredRecord[];
  /** The seq after the last of them. */
  readonly next: number;
}

const CHUNK_RECORDS = 256;
const CHUNK_BYTES = 256 * 1024;

/** The records from `from` on, at least one and none from `to` on; `from` must be below `to`. */
export function readChunk(
  sql: Statements,
  pieces: readonly Piece[],
  { from, to }: { readonly from: number; readonly to: number },
): Chunk {
  const piece = pieces.find((one) => from < one.to);
  if (piece === undefined) return { records: [missing(from, to)], next: to };
  const reading = { sql, log: piece.log, to: Math.min(to, piece.to) };
  const run = readRun(reading, from);
  return run.next > from ? run : readSingly(reading, from);
}

/**
 * How many events a log holds, for those who only look. Where its end cannot be read, that is told as one damaged
 * event behind what can be.
 */
export function visibleLength(sql: Statements, log: number, start: number): number {
  try {
    return lengthOf(sql, log, start);
  } catch (error) {
    if (!isDamage(error)) throw error;
  }
  let next = start;
  try {
    for (const { seq } of sql.eventsFrom.iterate(log, start, log)) next = seq + 1;
  } catch (error) {
    if (!isDamage(error)) throw error;
  }
  return next + 1;
}

interface Reading {
  readonly sql: Statements;
  readonly log: number;
  readonly to: number;
}

/** Goes through the table in its own order, and stops where that breaks. */
function readRun({ sql, log, to }: Reading, from: number): Chunk {
  const records: StoredRecord[] = [];
  let next = from;
  let bytes = 0;
  try {
    for (const row of sql.eventsFrom.iterate(log, from, log)) {
      if (row.seq >= to) break;
      if (row.seq > next) records.push(missing(next, row.seq));
      records.push(recordOf(row));
      next = row.seq + 1;
      bytes += sizeOf(row.json);
      if (next === to || bytes >= CHUNK_BYTES || records.length >= CHUNK_RECORDS) return { records, next };
    }
  } catch (error) {
    if (!isDamage(error)) throw error;
    return { records, next };
  }
  if (next < to) records.push(missing(next, to));
  return { records, next: to };
}

/** Looks for each record by itself, where the order of the table cannot be followed. */
function readSingly({ sql, log, to }: Reading, from: number): Chunk {
  const end = Math.min(to, from + CHUNK_RECORDS);
  const records: StoredRecord[] = [];
  let lost = from;
  for (let seq = from; seq < end; seq += 1) {
    const row = find(sql, log, seq);
    if (row === undefined) continue;
    if (lost < seq) records.push(missing(lost, seq));
    records.push(recordOf(row));
    lost = seq + 1;
    if (sizeOf(row.json) >= CHUNK_BYTES) return { records, next: lost };
  }
  if (lost < end) records.push(missing(lost, end));
  return { records, next: end };
}

function find(sql: Statements, log: number, seq: number): EventRow | undefined {
  try {
    return sql.event.get(log, seq);
  } catch (error) {
    if (!isDamage(error)) throw error;
    return undefined;
  }
}

/** The pages of the file themselves are broken. */
export function isDamage(error: unknown): boolean {
  const { code } = error as { readonly code?: unknown };
  return typeof code === 'string' && code.startsWith('SQLITE_CORRUPT');
}

function recordOf({ seq, crc, json }: EventRow): StoredRecord {
  if (typeof json !== 'string') return { kind: 'damaged', seq, reason: 'it is no text', bytes: sizeOf(json) };
  if (eventChecksum(seq, json) === crc) return { kind: 'event', seq, json };
  return {
    kind: 'damaged',
    seq,
    reason: 'its checksum does not fit',
    bytes: Buffer.byteLength(json),
    raw: json,
  };
}

function missing(from: number, to: number): StoredDamage {
  const which = to === from + 1 ? `event ${from} is` : `events ${from} to ${to - 1} are`;
  return { kind: 'damaged', seq: from, reason: `${which} missing`, bytes: 0 };
}

function sizeOf(json: unknown): number {
  return typeof json === 'string' || Buffer.isBuffer(json) ? json.length : 0;
}
