import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { oneLine, plain, segments } from '../../page/src/state/visible-text.ts';

describe('text of others', () => {
  it.each<[string, string, string]>([
    ['an ordinary text with lines and tabs', 'a\tb\nc', 'a\tb\nc'],
    ['the line ends of another system', 'a\r\nb', 'a\nb'],
    ['emoji of several characters, and a script that needs joiners', '👩‍👩‍👧 می‌خواهم', '👩‍👩‍👧 می‌خواهم'],
    ['an override of the direction', 'a\u202eb', 'a[U+202E]b'],
    ['isolates', '\u2066x\u2069', '[U+2066]x[U+2069]'],
    ['a control sequence of a terminal', '\u001b[31m', '[ESC][31m'],
    ['NUL, a bell and a lone carriage return', '\0\u0007\rx', '[NUL BEL CR]x'],
    ['half of a pair', 'x\ud800y', 'x[U+D800]y'],
    [
      'spaces without width, a soft hyphen and a byte order mark',
      '\u200b\u00ad\ufeff',
      '[U+200B U+00AD U+FEFF]',
    ],
    ['tags that nobody sees', 'ok\u{e0041}\u{e0042}', 'ok[U+E0041 U+E0042]'],
    ['separators and no characters', '\u2028\ufffe', '[U+2028 U+FFFE]'],
    ['a filler that looks like a space', '\u3164', '[U+3164]'],
    ['markup', '<b onclick="x">&amp;</b>', '<b onclick="x">&amp;</b>'],
  ])('shows %s [H14]', (_what, text, shown) => {
    expect(plain(text)).toBe(shown);
  });

  it('names no more than sixteen characters of one run [H14]', () => {
    expect(segments('\u200b'.repeat(50))).toEqual([{ mark: `${Array(16).fill('U+200B').join(' ')} +34` }]);
  });

  it('loses no character that is shown, and passes on none that is not [H14]', () => {
    const unit = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('\ud800', '\udc00', '\u202e', '\0', '\u{e0001}', 'a'),
    );
    const text = fc.array(unit).map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, (given) => {
        const shown = segments(given).map((segment) => ('text' in segment ? segment.text : ''));
        expect(shown.join('')).not.toMatch(/(?![\t\n])\p{Cc}|[\u202a-\u202e\u2066-\u2069]|\p{Cs}/u);
        const kept = given.replaceAll(/\r\n/g, '\n').replaceAll(/[^a\n]/g, '');
        expect(shown.join('').replaceAll(/[^a\n]/g, '')).toBe(kept);
      }),
      { seed: 7, numRuns: 300 },
    );
  });

  it('is one line where there is room for one, cut between characters [H12]', () => {
    expect(oneLine('  a\n\n b\u202e ')).toBe('a b[U+202E]');
    expect(oneLine('😀'.repeat(5), 4)).toBe('😀😀😀…');
  });
});
