import { newMessageId, newSessionId, parseSessionId, SessionError } from '@deepseek-ai/dsh-session';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sessionIdSource } from '../src/new-id.ts';

const uuid7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe('parseSessionId', () => {
  it.each(['a', '../x', 'a/b', 'CON', '.', 'ü', '😀', ' ', 'x'.repeat(200), '%', '\u00a0'])(
    'takes %j [S1]',
    (text) => {
      expect(parseSessionId(text)).toBe(text);
    },
  );

  it.each([
    '',
    'x'.repeat(201),
    'a\nb',
    '\0',
    '\u007f',
    '\u0085',
    '\u2028',
    '\u2029',
    '\ud800',
    'a\udc00b',
    '\udc00\ud800',
  ])('refuses %j [S1]', (text) => {
    expect(() => parseSessionId(text)).toThrow(expect.objectContaining({ code: 'INVALID_SESSION_ID' }));
  });

  it('refuses what is no string, and does not echo all of it [S1]', () => {
    expect(() => parseSessionId(7 as never)).toThrow(/^number is no session id: it is no string$/);
    expect(() => parseSessionId('x'.repeat(100_000))).toThrow(/^.{1,300}$/);
  });

  it('takes exactly the well-formed texts of allowed length and characters [S1]', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 210 }), (text) => {
        const allowed = text.length > 0 && text.length <= 200 && !/[\p{Cc}\p{Cs}\u2028\u2029]/u.test(text);
        let taken = true;
        try {
          parseSessionId(text);
        } catch (error) {
          taken = !SessionError.is(error);
        }
        return taken === allowed;
      }),
      { seed: 11 },
    );
  });
});

describe('new ids', () => {
  it('are UUIDs of version 7, all different [S1]', () => {
    const ids = Array.from({ length: 500 }, (_, index) =>
      index % 2 === 0 ? newSessionId() : newMessageId(),
    );
    for (const id of ids) expect(id).toMatch(uuid7);
    expect(new Set(ids).size).toBe(500);
  });

  it('sort by the time of their making, and a clock and a seed decide them [S1]', () => {
    fc.assert(
      fc.property(
        fc.nat(2 ** 47),
        fc.nat(2 ** 20),
        fc.float({ min: 0, max: Math.fround(0.999) }),
        (time, later, chance) => {
          const make = (now: number): string =>
            sessionIdSource(
              () => now,
              () => chance,
            )();
          expect(make(time)).toMatch(uuid7);
          expect(make(time)).toBe(make(time));
          expect(make(time) < make(time + later + 1)).toBe(true);
        },
      ),
      { seed: 12 },
    );
  });
});
