/**
 * Streams the records of a plan. Changes nothing and takes no place.
 * I1. An incomplete line at the open end is not there yet; before a known end it is damage.
 */
import type { StoredRecord } from '@deepseek-ai/dsh-session';
import { fileLines } from './file-lines.ts';
import { offsetOf } from './line-reader.ts';
import { createSequence } from './sequence.ts';
import type { FilePort, OpenFile } from './file-port.ts';
import type { Piece } from './plan.ts';

export interface Range {
  readonly from: number;
  readonly to?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Of each piece at most so many bytes are read. */
  readonly budget?: number;
}
type Records = AsyncGenerator<readonly StoredRecord[]>;

export async function* readPieces(files: FilePort, pieces: readonly Piece[], range: Range): Records {
  for (const piece of pieces) {
    if (piece.end !== undefined && piece.end.seq <= range.from) continue;
    if (range.to !== undefined && piece.from >= range.to) return;
    yield* readPiece(files, piece, range);
  }
}

async function* readPiece(files: FilePort, piece: Piece, range: Range): Records {
  const file = await files.openRead(piece.path);
  if (file === undefined) {
    if (piece.end !== undefined) yield within(createSequence(piece.from).end(piece.end.seq, 0), range);
    return;
  }
  try {
    yield* readFrom(file, piece, range);
  } finally {
    await file.close();
  }
}

async function* readFrom(file: OpenFile, piece: Piece, range: Range): Records {
  const size = Math.min(await file.size(), piece.end?.bytes ?? Infinity);
  const start = await offsetOf(file, size, piece.from, range.from);
  const limit = Math.min(size, start.bytes + (range.budget ?? Infinity));
  const sequence = createSequence(start.seq);
  let at = start.bytes;
  for await (const lines of fileLines(file, at, limit, range.signal)) {
    const records: StoredRecord[] = [];
    for (const line of lines) {
      records.push(...sequence.take(line));
      at += line.length + 1;
      if (range.to !== undefined && sequence.next >= range.to) break;
    }
    const wanted = within(records, range);
    if (wanted.length > 0) yield wanted;
    if (range.to !== undefined && sequence.next >= range.to) return;
  }
  if (piece.end === undefined || limit < size) return;
  const missing = within(sequence.end(piece.end.seq, size - at), range);
  if (missing.length > 0) yield missing;
}

function within(records: readonly StoredRecord[], range: Range): readonly StoredRecord[] {
  const { from, to = Infinity } = range;
  return records.filter(({ seq = from }) => seq >= from && seq < to);
}
