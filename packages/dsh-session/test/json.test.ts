import { freezeJson } from '@deepseek-ai/dsh-session';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bench, codeOf, plum, snapshot, user } from './fixtures.ts';

class Point {
  x = 1;
}
const cycle: Record<string, unknown> = {};
cycle['again'] = { inside: [cycle] };
const sparse = [1, 2, 3];
// eslint-disable-next-line @typescript-eslint/no-array-delete -- a hole is what is tested
delete sparse[1];
const deep = (levels: number): unknown => {
  let value: unknown = 1;
  for (let level = 0; level < levels; level += 1) value = [value];
  return value;
};

const refused: readonly (readonly [string, unknown, string])[] = [
  ['undefined', { a: { b: undefined } }, '$.a.b is undefined'],
  ['NaN', [1, Number.NaN], '$[1] is NaN'],
  ['Infinity', { n: -Infinity }, '$.n is -Infinity'],
  ['minus zero', { n: [0, -0] }, '$.n[1] is -0'],
  ['a bigint', { n: 1n }, '$.n is a bigint'],
  ['a function', { 'a b': () => 1 }, '$["a b"] is a function'],
  ['a symbol', { s: Symbol('s') }, '$.s is a symbol'],
  ['a symbol as key', { s: { [Symbol('s')]: 1 } }, '$.s is an object with a symbol as key'],
  ['a Date', { at: new Date(0) }, '$.at is an instance of a class'],
  ['a Map', [new Map()], '$[0] is an instance of a class'],
  ['a class instance', { p: new Point() }, '$.p is an instance of a class'],
  ['an object with toJSON', { toJSON: () => 1 }, '$ is an object with toJSON'],
  ['a sparse array', { list: sparse }, '$.list[1] is a hole in an array'],
  ['an array with members', Object.assign([1], { extra: 2 }), '$ is an array with named members'],
  ['a cycle', cycle, '$.again.inside[0] is a cycle'],
  ['too many levels', deep(501), 'nested more than 500 levels deep'],
  ['nothing at all', undefined, '$ is undefined'],
];

describe('freezeJson', () => {
  it.each(refused)('refuses %s, and says where it stands [S5]', (_, value, message) => {
    expect(() => freezeJson(value)).toThrow(
      expect.objectContaining({ code: 'NOT_JSON', message: expect.stringContaining(message) as unknown }),
    );
  });

  it('copies, so that later changes do not reach what was taken, and freezes all of the copy [S5]', () => {
    const given = { list: [{ a: 1 }], text: '\ud800' };
    const taken = freezeJson(given);
    given.list[0]!.a = 2;
    given.list.push({ a: 3 });
    expect(taken).toEqual({ list: [{ a: 1 }], text: '\ud800' });
    for (const part of [taken, taken.list, taken.list[0]]) expect(Object.isFrozen(part)).toBe(true);
    expect(Object.isFrozen(given)).toBe(false);
  });

  it('takes the same object twice where it is no cycle, and objects without a prototype [S5]', () => {
    const shared = { a: 1 };
    const bare = Object.assign(Object.create(null) as object, { b: 2 });
    expect(freezeJson({ one: shared, two: shared, bare })).toEqual({
      one: { a: 1 },
      two: { a: 1 },
      bare: { b: 2 },
    });
    expect(JSON.stringify(freezeJson(deep(500)))).toBe(JSON.stringify(deep(500)));
  });

  it('keeps a member that is named __proto__ [S5]', () => {
    const given: unknown = JSON.parse('{"__proto__":{"admin":true},"a":1}');
    const taken = freezeJson(given);
    expect(JSON.stringify(taken)).toBe('{"__proto__":{"admin":true},"a":1}');
    expect(Object.getPrototypeOf(taken)).toBe(Object.prototype);
  });

  it('gives what JSON gives, for every value that JSON can spell [S5]', () => {
    fc.assert(
      fc.property(fc.json(), (json) => {
        const value: unknown = JSON.parse(json, (_, member: unknown) => (Object.is(member, -0) ? 0 : member));
        return JSON.stringify(freezeJson(value)) === JSON.stringify(value);
      }),
      { seed: 13 },
    );
  });

  it('takes a value if and only if a round trip through JSON leaves it as it is [S5]', () => {
    const arbitrary = fc.anything({ withDate: true, withMap: true, withBigInt: true, withSparseArray: true });
    fc.assert(
      fc.property(arbitrary, (value) => {
        let taken: unknown;
        try {
          taken = freezeJson(value);
        } catch {
          return true;
        }
        expect(JSON.parse(JSON.stringify(taken))).toEqual(taken);
        expect(JSON.stringify(taken)).toBe(JSON.stringify(value));
        return true;
      }),
      { seed: 14 },
    );
  });
});

describe('append', () => {
  it.each(refused)('leaves the log as it was for %s [S5]', async (_, value) => {
    const { store } = await bench();
    const session = await store.create();
    session.append('user/message', user());
    const before = snapshot(session);
    const data = { callId: 'a', data: value as never };
    expect(await codeOf(() => session.append('tool/progress', data))).toMatch(/NOT_JSON/);
    expect(snapshot(session)).toBe(before);
  });

  it('says which event was not taken, and where the value stands [S5]', async () => {
    const { store } = await bench();
    const session = await store.create({ id: plum });
    const data = { callId: 'a', data: { at: [Number.NaN] } };
    expect(() => session.append('tool/progress', data)).toThrow(
      'session plum took no tool/progress: $.data.at[0] is NaN: JSON would not keep it',
    );
  });
});
