import { describe, expect, it } from 'vitest';
import { lanesOf, wordsPlace } from '../../page/src/state/picture-layout.ts';

describe('the lanes of a sequence picture', () => {
  it.each([
    [690, 2, { width: 190, upright: false }],
    [690, 6, { width: 101, upright: false }],
    [690, 9, { width: 67, upright: true }],
    [690, 500, { width: 34, upright: true }],
    [390, 30, { width: 34, upright: true }],
    [0, 0, { width: 34, upright: true }],
  ])('in %i pixels, of %i agents, have room for their names [H12]', (width, count, lanes) => {
    expect(lanesOf(width, count)).toEqual(lanes);
  });
});

describe('the words of an arrow', () => {
  it.each([
    ['over a short arrow', 10, { left: 100, right: 300, width: 700 }, { x: 200, anchor: 'middle', most: 10 }],
    [
      'at the left of a long one',
      10,
      { left: 50, right: 1_000, width: 1_000 },
      { x: 58, anchor: 'start', most: 80 },
    ],
    [
      'beyond a very short one',
      40,
      { left: 50, right: 84, width: 700 },
      { x: 58, anchor: 'start', most: 80 },
    ],
    [
      'before one at the edge',
      40,
      { left: 640, right: 674, width: 700 },
      { x: 666, anchor: 'end', most: 80 },
    ],
  ] as const)('stand %s [H12]', (_where, length, box, place) => {
    expect(wordsPlace(length, box)).toEqual(place);
  });
});
