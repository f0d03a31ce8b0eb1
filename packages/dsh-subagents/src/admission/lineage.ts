/**
 * The durable ancestors of a Session, found by headers alone.
 * I1. Every id appears once: a cycle ends the chain where it would close.
 * I2. An ancestor that cannot be read any more is named and ends the chain: what is above it is unknown.
 */
import {
  SessionError,
  type KnownSessionCode,
  type SessionHeader,
  type SessionId,
  type WaitOptions,
} from '@deepseek-ai/dsh-session';
import type { SessionsPort } from '../port.ts';

export interface LineageOptions extends WaitOptions {
  /** At most that many ids. Default 10,000. */
  readonly limit?: number;
}

type HeaderSource = Pick<SessionsPort, 'get' | 'head'>;

const unreadable: readonly (KnownSessionCode | (string & {}))[] = [
  'SESSION_NOT_FOUND',
  // What is no id names nobody, and nothing is above it.
  'INVALID_SESSION_ID',
  'INVALID_HEADER',
  'UNSUPPORTED_VERSION',
  'DAMAGED_LOG',
];

/** Ids from the direct parent upward; none for a top-level Session and for one that cannot be read. */
export async function durableChain(
  sessions: HeaderSource,
  id: SessionId,
  { signal, limit = 10_000 }: LineageOptions = {},
): Promise<readonly SessionId[]> {
  const seen = new Set<SessionId>([id]);
  let parent = (await headerOf(sessions, id, signal))?.parentSession;
  while (parent !== undefined && !seen.has(parent) && seen.size <= limit) {
    seen.add(parent);
    parent = (await headerOf(sessions, parent, signal))?.parentSession;
  }
  return [...seen].slice(1);
}

async function headerOf(
  sessions: HeaderSource,
  id: SessionId,
  signal: AbortSignal | undefined,
): Promise<SessionHeader | undefined> {
  signal?.throwIfAborted();
  const live = sessions.get(id);
  if (live !== undefined) return live.header;
  try {
    return (await sessions.head(id, { signal })).header;
  } catch (error) {
    if (SessionError.is(error) && unreadable.includes(error.code)) return undefined;
    throw error;
  }
}
