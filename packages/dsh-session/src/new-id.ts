/** Makes ids. */
import type { MessageId, SessionId } from './ids.ts';

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
