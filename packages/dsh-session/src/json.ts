/**
 * [pure] Values that JSON keeps unchanged: checked, copied and frozen in one walk.
 */
import { sessionError } from './errors.ts';

/** Values that JSON keeps unchanged. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;
/** A JSON object. */
export interface JsonObject {
  /** Any member. */
  readonly [key: string]: JsonValue;
}

/** The way from the root to the value that is looked at; it grows and shrinks with the walk. */
type Path = (string | number)[];

interface Walk {
  readonly path: Path;
  /** The containers around the value that is looked at: meeting one of them again is a cycle. */
  readonly around: Set<object>;
}

/** Deeper than this, readers in other languages and our own recursion give up. */
const deepest = 500;

/**
 * A deep-frozen copy of `value`. Throws `NOT_JSON` with the path of the first value that JSON would not keep:
 * `undefined`, `NaN`, `Infinity`, `-0`, bigints, functions, symbols, class instances, sparse arrays, cycles,
 * and nesting below 500 levels (S5). Lone surrogates are kept: JSON escapes them.
 */
export function freezeJson<T>(value: T): T {
  return copy(value, { path: [], around: new Set() }) as T;
}

function copy(value: unknown, walk: Walk): JsonValue {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value;
    case 'number':
      if (Number.isFinite(value) && !Object.is(value, -0)) return value;
      throw refused(walk, Object.is(value, -0) ? '-0' : String(value));
    case 'object':
      return value === null ? null : copyContainer(value, walk);
    case 'undefined':
    case 'bigint':
    case 'function':
    case 'symbol':
      throw refused(walk, value === undefined ? 'undefined' : `a ${typeof value}`);
  }
}

function copyContainer(value: object, walk: Walk): JsonValue {
  if (walk.around.has(value)) throw refused(walk, 'a cycle');
  if (walk.around.size >= deepest) throw refused(walk, `nested more than ${deepest} levels deep`);
  walk.around.add(value);
  const result = Array.isArray(value) ? copyArray(value, walk) : copyObject(value, walk);
  walk.around.delete(value);
  return Object.freeze(result);
}

function copyArray(value: readonly unknown[], walk: Walk): JsonValue[] {
  const result: JsonValue[] = [];
  for (let index = 0; index < value.length; index += 1) {
    walk.path.push(index);
    if (!Object.hasOwn(value, index)) throw refused(walk, 'a hole in an array');
    result.push(copy(value[index], walk));
    walk.path.pop();
  }
  if (Object.keys(value).length !== value.length) throw refused(walk, 'an array with named members');
  return result;
}

function copyObject(value: object, walk: Walk): JsonObject {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== null && !isPlain(prototype)) throw refused(walk, 'an instance of a class');
  if ('toJSON' in value && typeof value.toJSON === 'function') throw refused(walk, 'an object with toJSON');
  if (Object.getOwnPropertySymbols(value).length > 0) throw refused(walk, 'an object with a symbol as key');
  const result: Record<string, JsonValue> = {};
  for (const key of Object.keys(value)) {
    walk.path.push(key);
    const member = copy((value as Record<string, unknown>)[key], walk);
    // An assignment to `__proto__` would set the prototype and lose the member.
    if (key === '__proto__') Object.defineProperty(result, key, { value: member, enumerable: true });
    else result[key] = member;
    walk.path.pop();
  }
  return result;
}

/** `Object.prototype`, also that of another realm (a frame, a test runner's context). */
function isPlain(prototype: unknown): boolean {
  return (
    prototype === Object.prototype ||
    (Object.getPrototypeOf(prototype) === null && Object.hasOwn(prototype as object, 'isPrototypeOf'))
  );
}

function refused(walk: Walk, what: string): Error {
  return sessionError('NOT_JSON', `${showPath(walk.path)} is ${what}: JSON would not keep it`);
}

/** `$.content[0].input["a b"]` */
function showPath(path: readonly (string | number)[]): string {
  const steps = path.map((step) => {
    if (typeof step === 'number') return `[${step}]`;
    return /^[A-Za-z_$][\w$]*$/.test(step) ? `.${step}` : `[${JSON.stringify(step)}]`;
  });
  return `$${steps.join('')}`;
}
