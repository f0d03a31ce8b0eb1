/** [pure] The ids of Sessions and messages, and what text may be one. */
import { sessionError } from './errors.ts';

/** Names one durable conversation. Made by `newSessionId` or {@link parseSessionId}. */
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
