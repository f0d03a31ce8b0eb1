import { describe, expect, it } from 'vitest';
import {
  placesBefore,
  refusalOf,
  type Refusal,
  type TreeCounts,
  type TreeLimits,
} from '../../src/admission/limits.ts';

describe('the limits of a tree', () => {
  it.each<[TreeLimits, TreeCounts, Refusal | undefined]>([
    [{}, { live: 1_000, total: 1_000 }, undefined],
    [{ maxLive: 2 }, { live: 1, total: 9 }, undefined],
    [{ maxLive: 2 }, { live: 2, total: 9 }, { limit: 'maxLive', count: 2, most: 2 }],
    [{ maxLive: 0 }, { live: 0 }, { limit: 'maxLive', count: 0, most: 0 }],
    [{ maxTotal: 3 }, { live: 0, total: 2 }, undefined],
    [{ maxTotal: 3 }, { live: 0, total: 3 }, { limit: 'maxTotal', count: 3, most: 3 }],
    [{ maxTotal: 3 }, { live: 9 }, undefined],
    [
      { maxLive: 1, maxTotal: 1 },
      { live: 1, total: 1 },
      { limit: 'maxLive', count: 1, most: 1 },
    ],
    [{ maxLive: Number.NaN }, { live: 0 }, { limit: 'maxLive', count: 0, most: Number.NaN }],
  ])('%o allow one more of %o, or say what is reached [M46]', (limits, counts, refusal) => {
    expect(refusalOf(limits, counts)).toEqual(refusal);
  });

  it('give the place of a start that was undone to the next one [M46]', () => {
    const [first, second] = [{}, {}];
    const places = { accepted: 4, asked: new Set([first, second]) };
    expect([first, second].map((place) => placesBefore(places, place))).toEqual([4, 5]);
    places.asked.delete(first);
    expect(placesBefore(places, second)).toBe(4);
    expect(placesBefore(places, first)).toBe(5);
  });
});
