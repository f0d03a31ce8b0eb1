/** [pure] Text that is valid Unicode: what leaves for a provider must be, what comes in is made so. */

const lone = /\p{Surrogate}/gu;

/** Puts U+FFFD in the place of each half of a pair that stands alone. */
export function wellFormed(text: string): string {
  return text.replace(lone, '\uFFFD');
}

/** The same for every text in a JSON value, keys included. */
export function wellFormedJson<T>(value: T): T {
  if (typeof value === 'string') return wellFormed(value) as T;
  if (Array.isArray(value)) return value.map(wellFormedJson) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [wellFormed(key), wellFormedJson<unknown>(member)]),
  ) as T;
}

/**
 * Makes pieces of one text well-formed. A pair may have been cut into two pieces: its first half waits for the
 * second. `end` gives what still waits.
 */
export function wellFormedPieces(): { readonly next: (piece: string) => string; readonly end: () => string } {
  let half = '';
  return {
    next(piece) {
      const whole = half + piece;
      half = /[\uD800-\uDBFF]$/.exec(whole)?.[0] ?? '';
      return wellFormed(half === '' ? whole : whole.slice(0, -1));
    },
    end() {
      const rest = wellFormed(half);
      half = '';
      return rest;
    },
  };
}
