/**
 * [pure] How one event is one line: its JSON with a checksum put in front, so that `less` and `jq` read it.
 * I1. The checksum covers the JSON text as it was handed over, not the line.
 * I2. A line whose checksum fits holds exactly that text.
 */
import { crc32 } from 'node:zlib';
import type { StoredEvent } from '@deepseek-ai/dsh-session';

export const NEWLINE = 0x0a;

export type Line =
  | { readonly kind: 'event'; readonly seq: number; readonly json: string }
  | { readonly kind: 'damaged'; readonly reason: string };

const HEAD = Buffer.from('{"crc":"');
const HEAD_END = HEAD.length + 8;
const BODY = HEAD_END + 2;
const BRACE = crc32('{');
const SEQ = Buffer.from('"seq":');
const DIGITS = Buffer.from('0123456789abcdef');
const [QUOTE, COMMA, ZERO, LOWER_A] = [0x22, 0x2c, 0x30, 0x61];

/**
 * Each text is turned into bytes in its place, where its checksum is taken and put in front of it. Joined to one text
 * first, large ones would be copied twice as often.
 */
export function encodeLines(events: readonly StoredEvent[]): Buffer {
  let size = 0;
  for (const { json } of events) size += BODY + Buffer.byteLength(json);
  const bytes = Buffer.allocUnsafe(size);
  let start = 0;
  for (const { json } of events) {
    // The comma behind the checksum takes the place of the brace.
    const brace = start + BODY - 1;
    const end = brace + bytes.write(json, brace);
    putHead(bytes, start, crc32(bytes.subarray(brace, end)));
    bytes[end] = NEWLINE;
    start = end + 1;
  }
  return bytes;
}

/** Byte by byte: this runs for each event, and a call of `bytes.write` takes as long as the checksum itself. */
function putHead(bytes: Buffer, start: number, sum: number): void {
  for (let at = 0; at < 8; at += 1) {
    bytes[start + at] = HEAD[at] ?? 0;
    bytes[start + HEAD.length + at] = DIGITS[(sum >>> (28 - 4 * at)) & 15] ?? 0;
  }
  bytes[start + HEAD_END] = QUOTE;
  bytes[start + HEAD_END + 1] = COMMA;
}

/** `line` comes without its line break. */
export function decodeLine(line: Buffer): Line {
  if (line.length === 0) return { kind: 'damaged', reason: 'empty line' };
  const claimed = checksumOf(line);
  if (claimed === undefined) return { kind: 'damaged', reason: 'not a log line' };
  const body = line.subarray(BODY);
  if (crc32(body, BRACE) !== claimed) return { kind: 'damaged', reason: 'checksum does not fit' };
  const json = `{${body.toString('utf8')}`;
  const seq = leadingSeq(body) ?? parsedSeq(json);
  return seq === undefined ? { kind: 'damaged', reason: 'no seq' } : { kind: 'event', seq, json };
}

function checksumOf(line: Buffer): number | undefined {
  if (line.length <= BODY) return undefined;
  for (let at = 0; at < HEAD.length; at += 1) if (line[at] !== HEAD[at]) return undefined;
  if (line[HEAD_END] !== QUOTE || line[HEAD_END + 1] !== COMMA) return undefined;
  let value = 0;
  for (let at = HEAD.length; at < HEAD_END; at += 1) {
    const digit = hexDigit(line[at] ?? 0);
    if (digit < 0) return undefined;
    value = value * 16 + digit;
  }
  return value;
}

/** -1 for what is none, a capital letter included. */
function hexDigit(byte: number): number {
  if (byte >= ZERO && byte <= ZERO + 9) return byte - ZERO;
  return byte >= LOWER_A && byte < LOWER_A + 6 ? byte - LOWER_A + 10 : -1;
}

/** The seq where it stands first, as it does in what a store writes; no other text is looked at for it. */
function leadingSeq(body: Buffer): number | undefined {
  for (let at = 0; at < SEQ.length; at += 1) if (body[at] !== SEQ[at]) return undefined;
  let value = 0;
  for (let at = SEQ.length; at < body.length; at += 1) {
    const byte = body[at] ?? 0;
    if (byte < ZERO || byte > ZERO + 9) return at > SEQ.length && byte === COMMA ? value : undefined;
    value = value * 10 + byte - ZERO;
  }
  return undefined;
}

function parsedSeq(json: string): number | undefined {
  try {
    const { seq } = JSON.parse(json) as { readonly seq?: unknown };
    return Number.isSafeInteger(seq) && (seq as number) >= 0 ? (seq as number) : undefined;
  } catch {
    return undefined;
  }
}
