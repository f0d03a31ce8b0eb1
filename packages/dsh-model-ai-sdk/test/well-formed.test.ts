import { describe, expect, it } from 'vitest';
import { wellFormed, wellFormedJson, wellFormedPieces } from '../src/well-formed.ts';

describe('wellFormed', () => {
  it.each([
    ['plain', 'plain'],
    ['a😀b', 'a😀b'],
    ['a\ud83d', 'a\ufffd'],
    ['\ude00b', '\ufffdb'],
    ['\ude00\ud83d', '\ufffd\ufffd'],
  ])('makes %j to %j', (text, expected) => {
    expect(wellFormed(text)).toBe(expected);
  });

  it('reaches every text of a JSON value, keys included, and leaves the rest', () => {
    expect(wellFormedJson({ 'k\ud83d': ['\ude00', 1, null, true, { a: 'ok' }] })).toEqual({
      'k\ufffd': ['\ufffd', 1, null, true, { a: 'ok' }],
    });
  });
});

describe('wellFormedPieces', () => {
  it('keeps a character that was cut into two pieces', () => {
    const pieces = wellFormedPieces();
    expect([pieces.next('a\ud83d'), pieces.next('\ude00b'), pieces.end()]).toEqual(['a', '😀b', '']);
  });

  it('replaces a half whose other half never comes', () => {
    const pieces = wellFormedPieces();
    expect([
      pieces.next('a\ud83d'),
      pieces.next('b'),
      pieces.next('\ud83d'),
      pieces.end(),
      pieces.end(),
    ]).toEqual(['a', '\ufffdb', '', '\ufffd', '']);
  });
});
