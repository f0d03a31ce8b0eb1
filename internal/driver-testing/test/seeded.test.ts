import { expect, test } from 'vitest';
import { seeded } from '../src/seeded.ts';

test('a seed decides the numbers, and they lie from 0 to 1', () => {
  const [one, same, other] = [seeded(7), seeded(7), seeded(8)].map((random) =>
    Array.from({ length: 100 }, random),
  );
  expect(one).toEqual(same);
  expect(one).not.toEqual(other);
  expect(one!.every((number) => number >= 0 && number < 1)).toBe(true);
});
