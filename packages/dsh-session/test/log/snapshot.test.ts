import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { createHistory } from '../../src/log/history.ts';
import { snapshotOf } from '../../src/log/snapshot.ts';
import { user } from '../fixtures.ts';

const uses: Readonly<Record<string, (array: readonly number[]) => unknown>> = {
  length: (array) => array.length,
  'an element': (array) => [array[0], array[2], array[-1 as number], array[99]],
  at: (array) => [array.at(0), array.at(-1)],
  'for of': (array) => {
    const seen = [];
    for (const item of array) seen.push(item);
    return seen;
  },
  spread: (array) => [...array],
  destructuring: ([first, ...rest]) => [first, rest],
  'Array.from': (array) => Array.from(array),
  map: (array) => array.map((item, index) => item * index),
  filter: (array) => array.filter((item) => item > 3),
  'find and findLast': (array) => [array.find((item) => item > 1), array.findLast((item) => item < 9)],
  'slice and concat': (array) => [array.slice(1, -1), array.concat([7]), [7].concat(array)],
  reduce: (array) => array.reduce((sum, item) => sum + item, 0),
  'includes and indexOf': (array) => [array.includes(3), array.indexOf(3)],
  'sorted, reversed, changed copies': (array) => [
    array.toSorted(),
    array.toReversed(),
    array.toSpliced(0, 1),
  ],
  entries: (array) => [...array.entries()],
  'Object.keys': (array) => Object.keys(array),
  'for in and in': (array) => [Object.entries(array), 0 in array, 99 in array, 'length' in array],
  JSON: (array) => JSON.stringify({ array }),
  'Array.isArray': (array) => [
    Array.isArray(array),
    array instanceof Array,
    Object.getPrototypeOf(array) === Array.prototype,
  ],
  flat: (array) => [array].flat(),
  'inspect, and so to console.log': (array) => inspect(array),
  'a clone of a copy': (array) => structuredClone([...array]),
};

describe('a snapshot', () => {
  it.each(Object.entries(uses))('is an array to %s, whatever comes later [S9]', (_name, use) => {
    fc.assert(
      fc.property(fc.array(fc.nat(9)), fc.array(fc.nat(9)), (before, after) => {
        const items = [...before];
        const snapshot = snapshotOf(items);
        items.push(...after);
        expect(use(snapshot)).toEqual(use(before));
        items.push(...after);
        expect(use(snapshot)).toEqual(use(before));
      }),
    );
  });

  it('equals an array with the same elements, and no other [S9]', () => {
    const snapshot = snapshotOf([1, 2]);
    expect(snapshot).toEqual([1, 2]);
    expect(snapshot).toStrictEqual([1, 2]);
    expect(snapshot).not.toEqual([1, 2, 3]);
    assert.deepEqual(snapshot, [1, 2]);
    assert.notDeepEqual(snapshot, [2, 1]);
  });

  it('cannot be changed [S9]', () => {
    const items = [3, 1, 2];
    const snapshot = snapshotOf(items) as number[];
    const changes: readonly (() => unknown)[] = [
      () => snapshot.push(4),
      () => snapshot.pop(),
      () => snapshot.sort(),
      () => snapshot.reverse(),
      () => snapshot.splice(0, 1),
      () => snapshot.fill(0),
      () => (snapshot[0] = 9),
      () => (snapshot.length = 0),
      () => Reflect.deleteProperty(snapshot, '0') || refused(),
      () => Object.freeze(snapshot),
      () => Reflect.setPrototypeOf(snapshot, null) || refused(),
    ];
    for (const change of changes) expect(change).toThrow(TypeError);
    expect([snapshot, items]).toEqual([
      [3, 1, 2],
      [3, 1, 2],
    ]);
  });

  it('is copied once, and not before somebody looks [S9]', () => {
    let copies = 0;
    const items = [1, 2, 3];
    items.slice = (...range) => {
      copies += 1;
      return Array.prototype.slice.apply(items, range) as number[];
    };
    const snapshot = snapshotOf(items);
    expect([snapshot.length, copies]).toEqual([3, 0]);
    expect([snapshot.at(-1), snapshot[0], [...snapshot].length, copies]).toEqual([3, 1, 3, 1]);
  });
});

it('is what a history hands out: nothing is copied for those who do not look [S9]', () => {
  const slice = vi.spyOn(Array.prototype, 'slice');
  const history = createHistory();
  const handedOut: (readonly unknown[])[] = [];
  for (let seq = 0; seq < 200; seq += 1) {
    history.add({ seq, time: 0, type: 'user/message', data: user() });
    handedOut.push(history.messages());
  }
  const copies = slice.mock.calls.length;
  slice.mockRestore();
  expect(copies).toBe(0);
  expect(handedOut.map(({ length }) => length)).toEqual(Array.from({ length: 200 }, (_, index) => index + 1));
  expect(handedOut.map((messages) => [...messages].length)).toEqual(handedOut.map(({ length }) => length));
});

function refused(): never {
  throw new TypeError('refused');
}
