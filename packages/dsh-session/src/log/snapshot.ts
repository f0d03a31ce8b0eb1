/**
 * [pure] What an array that only grows holds at present, as an array that never changes (S9).
 * I1. Making one costs nothing; the first look at its elements copies them, once.
 * I2. Its methods run on that copy, at an array's own speed. Whatever would change it throws a TypeError.
 * I3. Node's `console.log` looks through a proxy at its target, so the target tells it what to show.
 * A plain copy at once would cost the length of the history at every step, also where nobody looks at it.
 */

type Key = string | symbol;

/** Of these, none changes the array that it is called on. */
const reading: ReadonlySet<Key> = new Set<Key>([
  ...['at', 'concat', 'entries', 'every', 'filter', 'find', 'findIndex', 'findLast', 'findLastIndex', 'flat'],
  ...['flatMap', 'forEach', 'includes', 'indexOf', 'join', 'keys', 'lastIndexOf', 'map', 'reduce'],
  ...['reduceRight', 'slice', 'some', 'toReversed', 'toSorted', 'toSpliced', 'values', 'with'],
  Symbol.iterator,
]);

/** Where Node asks an object what to show of it. */
const inspection = Symbol.for('nodejs.util.inspect.custom');

/** The elements that `items` has now. `items` must only ever get new elements at its end. */
export function snapshotOf<T>(items: readonly T[]): readonly T[] {
  const { length } = items;
  let copy: readonly T[] | undefined;
  const whole = (): readonly T[] => (copy ??= items.slice(0, length));
  const refuse = (): boolean => false;
  return new Proxy<T[]>(Object.assign([], { [inspection]: whole }), {
    get(_target, key) {
      if (key === 'length') return length;
      const value: unknown = Reflect.get(whole(), key);
      if (typeof value !== 'function' || !reading.has(key)) return value;
      return (...args: readonly unknown[]): unknown => Reflect.apply(value, whole(), args);
    },
    has: (_target, key) => Reflect.has(whole(), key),
    ownKeys: () => Reflect.ownKeys(whole()),
    getOwnPropertyDescriptor: (_target, key) => Reflect.getOwnPropertyDescriptor(whole(), key),
    set: refuse,
    defineProperty: refuse,
    deleteProperty: refuse,
    setPrototypeOf: refuse,
    preventExtensions: refuse,
  });
}
