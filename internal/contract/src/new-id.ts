/** Makes ids: UUIDs of version 7, so that those of different milliseconds sort by time. */

/** A new id on each call. Where `random` is given, it and `now` decide them all. */
export function idSource(now: () => number, random?: () => number): () => string {
  if (random === undefined) return () => secureId(now());
  const bytes = () => Uint8Array.from({ length: 10 }, () => Math.floor(random() * 256));
  return () => uuid7(now(), bytes());
}

/** The chance of a version 4 behind the time: asking for that is many times faster than asking for bytes. */
function secureId(now: number): string {
  const { crypto } = globalThis;
  // A browser has it in a secure context alone.
  if (!('randomUUID' in crypto)) return uuid7(now, secureBytes());
  return `${timePart(now)}-7${crypto.randomUUID().slice(15)}`;
}

function secureBytes(): Uint8Array {
  return globalThis.crypto.getRandomValues(new Uint8Array(10));
}

/** 48 bits, in two parts: each is a small integer, whose digits come many times faster than those of a large one. */
function timePart(now: number): string {
  const time = Math.max(0, Math.floor(now)) % 2 ** 48;
  const high = Math.floor(time / 2 ** 16).toString(16);
  const low = (time % 2 ** 16).toString(16);
  return `${high.padStart(8, '0')}-${low.padStart(4, '0')}`;
}

/** 48 bits of time, then 74 bits of the 80 that are given, around the marks of version and variant. */
function uuid7(now: number, bytes: Uint8Array): string {
  let chance = '';
  for (const byte of bytes) chance += byte.toString(16).padStart(2, '0');
  const variant = (8 + (Number.parseInt(chance.charAt(3), 16) & 3)).toString(16);
  const tail = `${variant}${chance.slice(4, 7)}-${chance.slice(7, 19)}`;
  return `${timePart(now)}-7${chance.slice(0, 3)}-${tail}`;
}
