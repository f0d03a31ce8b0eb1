/**
 * Finding single lines in a log without reading all of it.
 * I1. Whole events stand in rising order of seq, so that one can be found by halving.
 * I2. Damaged lines are passed over: they have no seq to go by.
 */
import { decodeLine, NEWLINE } from './lines.ts';
import type { OpenFile } from './file-port.ts';

const WINDOW = 2048;

/** A line and where it stands: `end` is behind its line break. */
interface FoundLine {
  readonly start: number;
  readonly end: number;
  readonly bytes: Buffer;
}
interface EventLine extends FoundLine {
  readonly seq: number;
}

interface LineReader {
  /** The line that starts at `start`; nothing where no line break comes any more. */
  lineAt(start: number): Promise<FoundLine | undefined>;
  /** The first readable line that starts at or behind `position`. */
  readableFrom(position: number): Promise<EventLine | undefined>;
}

function createLineReader(file: OpenFile, size: number): LineReader {
  // Neighbours are asked for one after the other: what was read last most often holds the next one too.
  let window = Buffer.alloc(0);
  let windowStart = 0;

  const inWindow = (start: number): FoundLine | undefined => {
    const from = start - windowStart;
    const at = from < 0 || from >= window.length ? -1 : window.indexOf(NEWLINE, from);
    return at < 0 ? undefined : { start, end: windowStart + at + 1, bytes: window.subarray(from, at) };
  };
  const lineAt = async (start: number): Promise<FoundLine | undefined> => {
    const known = inWindow(start);
    if (known !== undefined) return known;
    for (let length = WINDOW; ; length *= 4) {
      const into = Buffer.alloc(Math.max(0, Math.min(length, size - start)));
      window = into.subarray(0, await file.read(into, start));
      windowStart = start;
      const found = inWindow(start);
      if (found !== undefined || start + length >= size || window.length < into.length) return found;
    }
  };
  return {
    lineAt,
    async readableFrom(position) {
      let start = position === 0 ? 0 : ((await lineAt(position - 1))?.end ?? size);
      while (start < size) {
        const found = await lineAt(start);
        if (found === undefined) return undefined;
        const line = decodeLine(found.bytes);
        if (line.kind === 'event') return { ...found, seq: line.seq };
        start = found.end;
      }
      return undefined;
    },
  };
}

export interface Offset {
  /** Behind the last readable line below the seq that was asked for. */
  readonly bytes: number;
  /** The seq that follows there; what lies between it and the one asked for is damaged. */
  readonly seq: number;
}

/** Where the events from `seq` on begin in the first `size` bytes, which start with the event `first`. */
export async function offsetOf(file: OpenFile, size: number, first: number, seq: number): Promise<Offset> {
  let low: Offset = { bytes: 0, seq: first };
  if (seq <= first) return low;
  const near = await offsetNearEnd(file, size, seq);
  if (near !== undefined) return near;
  const reader = createLineReader(file, size);
  let high = size;
  const below = async (position: number): Promise<boolean> => {
    const found = await reader.readableFrom(position);
    if (found === undefined || found.seq >= seq) {
      high = position;
      return false;
    }
    low = after(found);
    return true;
  };
  // Most askers want an event near the end.
  for (let step = 2 * WINDOW; step < size; step *= 4) if (await below(size - step)) break;
  while (high - low.bytes > WINDOW) await below(low.bytes + Math.floor((high - low.bytes) / 2));
  for (;;) {
    const found = await reader.readableFrom(low.bytes);
    if (found === undefined || found.seq >= seq) return low;
    low = after(found);
  }
}

/** Most askers want one of the last lines: a look there spares the search, which is dear where lines are long. */
async function offsetNearEnd(file: OpenFile, size: number, seq: number): Promise<Offset | undefined> {
  for (const window of [4 * WINDOW, 16 * WINDOW]) {
    const start = Math.max(0, size - window);
    const bytes = await readBytes(file, start, size);
    const { found, lines } = lastBelow(bytes, start, seq);
    if (found !== undefined || lines > 2 || start === 0) return found;
  }
  return undefined;
}

/** Behind the last readable line below `seq`; the line of `seq` itself where the one before it is not all there. */
function lastBelow(
  bytes: Buffer,
  start: number,
  seq: number,
): { readonly found?: Offset; readonly lines: number } {
  let lines = 0;
  let itself: Offset | undefined;
  for (let end = bytes.lastIndexOf(NEWLINE) + 1; end > 0; lines += 1) {
    const lineStart = startOfLine(bytes, end);
    if (lineStart === 0 && start > 0) break;
    const line = decodeLine(bytes.subarray(lineStart, end - 1));
    if (line.kind === 'event' && line.seq < seq)
      return { found: { bytes: start + end, seq: line.seq + 1 }, lines };
    itself = line.kind === 'event' && line.seq === seq ? { bytes: start + lineStart, seq } : undefined;
    end = lineStart;
  }
  return itself === undefined || start === 0 ? { lines } : { found: itself, lines };
}

async function readBytes(file: OpenFile, from: number, to: number): Promise<Buffer> {
  const into = Buffer.allocUnsafe(to - from);
  return into.subarray(0, await file.read(into, from));
}

/** Where the line begins that ends before `end`. */
function startOfLine(bytes: Buffer, end: number): number {
  // A Buffer takes a negative offset from its end.
  return end === 1 ? 0 : bytes.lastIndexOf(NEWLINE, end - 2) + 1;
}

function after(found: EventLine): Offset {
  return { bytes: found.end, seq: found.seq + 1 };
}

/**
 * Where the whole lines of a segment end. An incomplete last line does not count (S15); complete but damaged
 * ones do, as one event each, so that they are found and not written over.
 */
export async function endOf(file: OpenFile, first: number): Promise<Offset> {
  const size = await file.size();
  let bytes: Buffer = Buffer.alloc(0);
  for (let start = size; ;) {
    const more = Math.max(0, Math.min(start - 2 * WINDOW, size - 2 * bytes.length));
    bytes = Buffer.concat([await readBytes(file, more, start), bytes]);
    start = more;
    const end = endWithin(bytes, start, first);
    if (end !== undefined) return end;
  }
}

/** The end, where `bytes`, which begin at `start`, show it: read backwards, as far as two events that are in order. */
function endWithin(bytes: Buffer, start: number, first: number): Offset | undefined {
  let keep = bytes.lastIndexOf(NEWLINE) + 1;
  let last: number | undefined;
  /** How many lines behind the last event count as one each. */
  let behind = 0;
  for (let end = keep; end > 0;) {
    const lineStart = startOfLine(bytes, end);
    if (lineStart === 0 && start > 0) return undefined;
    const text = bytes.subarray(lineStart, end - 1);
    const line = decodeLine(text);
    if (line.kind === 'event') {
      if (last !== undefined && line.seq < last) break;
      // One that stands behind another of its seq, or of a higher one, is in the wrong place.
      if (last !== undefined) behind += 1;
      last = line.seq;
    } else {
      if (last !== undefined) break;
      // A crash of the machine leaves blocks of zeros where writing had begun: nothing that was ever promised.
      if (behind === 0 && text.includes(0)) keep = lineStart;
      else behind += 1;
    }
    end = lineStart;
  }
  if (last === undefined && start > 0) return undefined;
  return { bytes: start + keep, seq: (last === undefined ? first : last + 1) + behind };
}
