/**
 * [pure] How one event is one line: its JSON with a checksum put in front, so that `less` and `jq` read it.
 * 1. The checksum covers the JSON text as it was handed over, not the line.
 * 2. A line whose checksum fits holds exactly that text.
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

function encodeText(json: string): string {
  return `{"crc":"${crc32(json).toString(16).padStart(8, '0')}",${json.slice(1)}\n`;
}

export function encodeLines(events: readonly StoredEvent[]): Buffer {
  let text = '';
  for (const event of events) text += encodeText(event.json);
  return Buffer.from(text, 'utf8');
}

/** `line` comes without its line break. */
export function decodeLine(line: Buffer): Line {
  if (line.length < BODY + 1 || HEAD.compare(line, 0, HEAD.length) !== 0) {
    return { kind: 'damaged', reason: line.length === 0 ? 'empty line' : 'not a log line' };
  }
  const claimed = line.toString('latin1', HEAD.length, HEAD_END);
  const body = line.subarray(BODY);
  if (line[HEAD_END] !== 0x22 || line[HEAD_END + 1] !== 0x2c || !/^[0-9a-f]{8}$/.test(claimed)) {
    return { kind: 'damaged', reason: 'not a log line' };
  }
  if (crc32(body, BRACE) !== Number.parseInt(claimed, 16))
    return { kind: 'damaged', reason: 'checksum does not fit' };
  return decodeJson(`{${body.toString('utf8')}`);
}

function decodeJson(json: string): Line {
  const direct = /^\{"seq":(0|[1-9][0-9]{0,15})[,}]/.exec(json);
  if (direct !== null) return { kind: 'event', seq: Number(direct[1]), json };
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return { kind: 'damaged', reason: 'not JSON' };
  }
  const { seq } = value as { readonly seq?: unknown };
  if (!Number.isSafeInteger(seq) || (seq as number) < 0) return { kind: 'damaged', reason: 'no seq' };
  return { kind: 'event', seq: seq as number, json };
}
