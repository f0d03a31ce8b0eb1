import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { idOfPlace, placeOf } from '../src/places.ts';

describe('places', () => {
  test.each(['plum', 'a.b-c_d', '018f3a5e-7c1b-7000-8000-000000000000', 'x'.repeat(100)])(
    'an id that fits everywhere is its own place: %s [S1]',
    (id) => {
      expect(placeOf(id)).toBe(id);
      expect(idOfPlace(id)).toBe(id);
    },
  );

  const odd = [
    '../x',
    'a/b',
    'a\\b',
    'CON',
    'con',
    'con.txt',
    'lpt1',
    '.',
    '..',
    '.hidden',
    'ü',
    'Plum',
    'a:b',
    'plum.',
  ];
  test.each([
    ...odd,
    '',
    '-rf',
    ' x',
    'x ',
    '~',
    `~${'0'.repeat(64)}`,
    'x'.repeat(101),
    '\ud800',
    '\ufffd',
    'a\0',
  ])('any other id has a digest for its place: %j [S1]', (id) => {
    expect(placeOf(id)).toMatch(/^~[0-9a-f]{64}$/);
    expect(idOfPlace(id)).toBeUndefined();
  });

  test('no two ids share a place where case does not count [S1]', () => {
    const alphabet = fc.constantFrom(
      'a',
      'A',
      'ü',
      'u\u0308',
      '.',
      '/',
      '\\',
      '~',
      '-',
      '\ud800',
      '\ufffd',
      'con',
      ' ',
    );
    const ids = fc.array(alphabet, { maxLength: 6 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(ids, ids, (one, two) => {
        fc.pre(one !== two);
        expect(placeOf(one).toLowerCase()).not.toBe(placeOf(two).toLowerCase());
      }),
      { seed: 1, numRuns: 5000 },
    );
  });

  test('every place is one plain name [S1]', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1, maxLength: 200 }), (id) =>
        /^[a-z0-9~][a-z0-9._-]*$/.test(placeOf(id)),
      ),
      { seed: 2, numRuns: 2000 },
    );
  });
});
