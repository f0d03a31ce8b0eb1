/** [pure] Random numbers that a seed decides. */

/** Numbers from 0 up to but not including 1. The same seed gives the same numbers, on every machine. */
export function seededRandom(seed: number): () => number {
  // Neighbouring seeds must not give similar streams.
  let state = Math.imul(seed ^ (seed >>> 16), 0x45d9f3b) ^ 0x9e3779b9;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
