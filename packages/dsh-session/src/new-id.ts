/** Makes ids. */
import type { MessageId, SessionId } from './ids.ts';

/** A new id. Ids that were made in different milliseconds sort by time (UUID version 7). */
export function newSessionId(): SessionId {
  return uuid7(Date.now(), secureBytes()) as SessionId;
}

/** A new id, sorted by time like {@link newSessionId}. */
export function newMessageId(): MessageId {
  return uuid7(Date.now(), secureBytes()) as MessageId;
}

/** Where a store takes ids from: time and chance are its own ports. */
export function idSource(now: () => number, random?: () => number): () => SessionId {
  const bytes =
    random === undefined
      ? secureBytes
      : () => Uint8Array.from({ length: 10 }, () => Math.floor(random() * 256));
  return () => uuid7(now(), bytes()) as SessionId;
}

function secureBytes(): Uint8Array {
  return globalThis.crypto.getRandomValues(new Uint8Array(10));
}

/** 48 bits of time, then 74 bits of the 80 that are given, around the marks of version and variant. */
function uuid7(now: number, bytes: Uint8Array): string {
  const time = (Math.max(0, Math.floor(now)) % 2 ** 48).toString(16).padStart(12, '0');
  let chance = '';
  for (const byte of bytes) chance += byte.toString(16).padStart(2, '0');
  const variant = (8 + (Number.parseInt(chance.charAt(3), 16) & 3)).toString(16);
  const tail = `${variant}${chance.slice(4, 7)}-${chance.slice(7, 19)}`;
  return `${time.slice(0, 8)}-${time.slice(8)}-7${chance.slice(0, 3)}-${tail}`;
}
