/** Makes ids. */
import { idSource } from '@dsh-internal/contract';
import type { MessageId, SessionId } from './ids.ts';

const newId = idSource(Date.now);

/** A new id. Ids that were made in different milliseconds sort by time (UUID version 7). */
export function newSessionId(): SessionId {
  return newId() as SessionId;
}

/** A new id, sorted by time like {@link newSessionId}. */
export function newMessageId(): MessageId {
  return newId() as MessageId;
}

/** Where a store takes ids from: time and chance are its own ports. */
export function sessionIdSource(now: () => number, random?: () => number): () => SessionId {
  return idSource(now, random) as () => SessionId;
}
