/** Streams the lines of a file, in blocks that grow: a short range does not pay for a long log. */
import { NEWLINE } from './lines.ts';
import type { OpenFile } from './file-port.ts';

const FIRST_BLOCK = 16 * 1024;
const LAST_BLOCK = 1024 * 1024;

/** The complete lines from `start` up to `limit`, without their line breaks. */
export async function* fileLines(
  file: OpenFile,
  start: number,
  limit: number,
  signal: AbortSignal | undefined,
): AsyncGenerator<readonly Buffer[]> {
  let parts: Buffer[] = [];
  let block = FIRST_BLOCK;
  for (let at = start; at < limit; block = Math.min(block * 2, LAST_BLOCK)) {
    signal?.throwIfAborted();
    const into = Buffer.allocUnsafeSlow(Math.min(block, limit - at));
    const got = into.subarray(0, await file.read(into, at));
    if (got.length === 0) return;
    at += got.length;
    parts.push(got);
    if (!got.includes(NEWLINE)) continue;
    const bytes = parts.length === 1 ? got : Buffer.concat(parts);
    const { lines, rest } = split(bytes);
    parts = rest.length === 0 ? [] : [rest];
    yield lines;
  }
}

function split(bytes: Buffer): { readonly lines: readonly Buffer[]; readonly rest: Buffer } {
  const lines: Buffer[] = [];
  let start = 0;
  for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, start)) {
    lines.push(bytes.subarray(start, at));
    start = at + 1;
  }
  return { lines, rest: bytes.subarray(start) };
}
