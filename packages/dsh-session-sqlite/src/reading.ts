/**
 * What stands under an id, for those who hold no place. Nothing here waits for a writer.
 * I1. Each chunk is one consistent view. Where the log was repaired or deleted since the last one, that is seen.
 */
import { sessionError, type SessionId, type StoredHead, type StoredRecord } from '@deepseek-ai/dsh-session';
import { headerChecksum } from './checksum.ts';
import { piecesOf, type Piece } from './logs.ts';
import { readChunk, visibleLength } from './records.ts';
import type { SessionRow, Statements } from './statements.ts';
import type { Transactions } from './transactions.ts';

/** Of the own records, so many bytes are in a head. */
const START_BYTES = 64 * 1024;

export const notFound = (id: SessionId): Error =>
  sessionError('SESSION_NOT_FOUND', `session ${id} is not stored`);

export function requireSession(sql: Statements, id: SessionId): SessionRow {
  const row = sql.session.get(id);
  if (row === undefined) throw notFound(id);
  return row;
}

export function headerProblem({ header, crc }: SessionRow): string | undefined {
  return headerChecksum(header) === crc ? undefined : 'the checksum of the header does not fit';
}

export async function readHead(
  transactions: Transactions,
  id: SessionId,
  {
    startBytes = START_BYTES,
    signal,
  }: { readonly startBytes?: number; readonly signal?: AbortSignal | undefined },
): Promise<StoredHead> {
  const head = await transactions.read((sql) => headOf(sql, id, Math.min(startBytes, START_BYTES)), signal);
  if (head === undefined) throw notFound(id);
  return head;
}

export async function readHeader(
  transactions: Transactions,
  id: SessionId,
  signal: AbortSignal | undefined,
): Promise<string> {
  const header = await transactions.read((sql) => wholeSession(sql, id).header, signal);
  if (header === undefined) throw notFound(id);
  return header;
}

/** Throws `INVALID_HEADER` too. */
function wholeSession(sql: Statements, id: SessionId): SessionRow {
  const row = requireSession(sql, id);
  const problem = headerProblem(row);
  if (problem !== undefined) throw sessionError('INVALID_HEADER', `session ${id} not read: ${problem}`);
  return row;
}

function headOf(sql: Statements, id: SessionId, startBytes: number): StoredHead {
  const row = wholeSession(sql, id);
  const pieces = piecesOf(sql, row.log);
  const length = visibleLength(sql, row.log, pieces.at(-1)?.from ?? 0);
  const start = startOf(sql, pieces, { from: row.own, to: length }, startBytes);
  const summary = sql.summary.get(id);
  return { header: row.header, length, start, ...(summary === undefined ? {} : { summary }) };
}

function startOf(
  sql: Statements,
  pieces: readonly Piece[],
  { from, to }: { readonly from: number; readonly to: number },
  bytes: number,
): readonly StoredRecord[] {
  const start: StoredRecord[] = [];
  let left = bytes;
  for (let next = from; next < to && left > 0;) {
    const chunk = readChunk(sql, pieces, { from: next, to });
    for (const record of chunk.records) {
      left -= record.kind === 'event' ? Buffer.byteLength(record.json) : record.bytes;
      if (left < 0) return start;
      start.push(record);
    }
    next = chunk.next;
  }
  return start;
}

interface Range {
  readonly from: number;
  readonly to?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

interface View {
  readonly header: string;
  readonly log: number;
  readonly pieces: readonly Piece[];
  readonly length: number;
}

export async function* readStored(
  transactions: Transactions,
  id: SessionId,
  { from, to = Infinity, signal }: Range,
): AsyncGenerator<readonly StoredRecord[]> {
  let view: View | undefined;
  let end = to;
  for (let next = from; ;) {
    const chunk = await transactions.read((sql) => {
      view = viewOf(sql, id, view);
      // What is appended from now on is not of this reading.
      end = Math.min(end, view.length);
      return next < end ? readChunk(sql, view.pieces, { from: next, to: end }) : 'end';
    }, signal);
    if (chunk === undefined) throw notFound(id);
    if (chunk === 'end') return;
    yield chunk.records;
    next = chunk.next;
    if (next >= end) return;
    signal?.throwIfAborted();
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
}

function viewOf(sql: Statements, id: SessionId, before: View | undefined): View {
  const { header, log } = requireSession(sql, id);
  if (before !== undefined && before.header !== header) throw notFound(id);
  if (before?.log === log) return before;
  const pieces = piecesOf(sql, log);
  return { header, log, pieces, length: visibleLength(sql, log, pieces.at(-1)?.from ?? 0) };
}
