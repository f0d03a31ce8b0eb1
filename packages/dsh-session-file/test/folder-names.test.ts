import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { idOfFolderName, folderNameOf } from '../src/folder-names.ts';

describe('folder names', () => {
  test.each(['plum', 'a.b-c_d', '018f3a5e-7c1b-7000-8000-000000000000', 'x'.repeat(100)])(
    'an id that fits everywhere is its own folder name: %s [S1]',
    (id) => {
      expect(folderNameOf(id)).toBe(id);
      expect(idOfFolderName(id)).toBe(id);
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
  ])('any other id has a digest for its folder name: %j [S1]', (id) => {
    expect(folderNameOf(id)).toMatch(/^~[0-9a-f]{64}$/);
    expect(idOfFolderName(id)).toBeUndefined();
  });

  test('no two ids share a folder name where case does not count [S1]', () => {
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
        expect(folderNameOf(one).toLowerCase()).not.toBe(folderNameOf(two).toLowerCase());
      }),
      { seed: 1, numRuns: 5000 },
    );
  });

  test('every folder name is one plain name [S1]', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1, maxLength: 200 }), (id) =>
        /^[a-z0-9~][a-z0-9._-]*$/.test(folderNameOf(id)),
      ),
      { seed: 2, numRuns: 2000 },
    );
  });
});
