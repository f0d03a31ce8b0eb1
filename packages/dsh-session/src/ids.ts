import { sessionError } from './errors.ts';

/** Names one durable conversation. Made by {@link newSessionId} or {@link parseSessionId}. */
export type SessionId = string & { readonly __id: 'SessionId' };
/** Names one message, in the inbox and in the log. */
export type MessageId = string & { readonly __id: 'MessageId' };

const longest = 200;
// Control characters of both blocks, and the two separators that end a line in some readers.
// eslint-disable-next-line no-control-regex -- these are what an id may not hold
const forbidden = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/;
const loneSurrogate = /\p{Surrogate}/u;

/** What keeps `text` from being a {@link SessionId}, as a phrase; nothing where it is one (S1). */
export function sessionIdProblem(text: unknown): string | undefined {
  if (typeof text !== 'string') return 'it is no string';
  if (text.length === 0) return 'it is empty';
  if (text.length > longest) return `it is longer than ${longest} UTF-16 units`;
  if (loneSurrogate.test(text)) return 'it holds a lone surrogate';
  if (forbidden.test(text)) return 'it holds a control character or a line separator';
  return undefined;
}

/**
 * Takes any well-formed text of 1 to 200 UTF-16 units without control characters and line separators (S1).
 * Throws `INVALID_SESSION_ID`.
 */
export function parseSessionId(text: string): SessionId {
  const problem = sessionIdProblem(text);
  if (problem === undefined) return text as SessionId;
  const shown = typeof text === 'string' ? JSON.stringify(text.slice(0, longest)) : typeof text;
  throw sessionError('INVALID_SESSION_ID', `${shown} is no session id: ${problem}`);
}

/** A new id. Ids that were made in different milliseconds sort by time (UUID version 7). */
export function newSessionId(): SessionId {
  return uuid7(Date.now(), secureRandom) as SessionId;
}

/** A new id, sorted by time like {@link newSessionId}. */
export function newMessageId(): MessageId {
  return uuid7(Date.now(), secureRandom) as MessageId;
}

/** Where a store takes ids from: time and chance are its own ports. */
export function idSource(now: () => number, random: () => number = secureRandom): () => SessionId {
  return () => uuid7(now(), random) as SessionId;
}

function secureRandom(): number {
  const [word] = globalThis.crypto.getRandomValues(new Uint32Array(1)) as unknown as [number];
  return word / 2 ** 32;
}

function uuid7(now: number, random: () => number): string {
  const time = hex(Math.max(0, Math.floor(now)) % 2 ** 48, 12);
  const variant = (8 + Math.floor(random() * 4)).toString(16);
  const tail = `${variant}${chance(random, 3)}-${chance(random, 4)}${chance(random, 4)}${chance(random, 4)}`;
  return `${time.slice(0, 8)}-${time.slice(8)}-7${chance(random, 3)}-${tail}`;
}

function chance(random: () => number, digits: number): string {
  return hex(Math.floor(random() * 16 ** digits), digits);
}

function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, '0');
}
