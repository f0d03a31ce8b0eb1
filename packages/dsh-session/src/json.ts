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

/** The container that is walked through. Steps are the way from the root, and where cycles are found. */
interface Step {
  readonly above: Step | undefined;
  readonly depth: number;
  readonly container: object;
  /** The member that is looked at. */
  at: string | number;
}

/** Deeper than this, readers in other languages and our own recursion give up. */
const deepest = 500;

/**
 * A deep-frozen copy of `value`. Throws `NOT_JSON` with the path of the first value that JSON would not keep:
 * `undefined`, `NaN`, `Infinity`, `-0`, bigints, functions, symbols, class instances, sparse arrays, cycles,
 * and nesting below 500 levels (S5). Lone surrogates are kept: JSON escapes them.
 */
export function freezeJson<T>(value: T): T {
  const made: object[] = [];
  const result = copyJson(value, made);
  for (const part of made) Object.freeze(part);
  return result;
}

/**
 * The copy of {@link freezeJson}, still to be frozen: `made` gets all its arrays and objects. `JSON.stringify` takes
 * twice as long for frozen arrays, so what is to be text goes first.
 */
export function copyJson<T>(value: T, made: object[]): T {
  return copy(value, undefined, made) as T;
}

function copy(value: unknown, step: Step | undefined, made: object[]): JsonValue {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value;
    case 'number':
      if (Number.isFinite(value) && !Object.is(value, -0)) return value;
      throw refused(step, Object.is(value, -0) ? '-0' : String(value));
    case 'object':
      return value === null ? null : copyContainer(value, step, made);
    case 'undefined':
    case 'bigint':
    case 'function':
    case 'symbol':
      throw refused(step, value === undefined ? 'undefined' : `a ${typeof value}`);
  }
}

function copyContainer(container: object, above: Step | undefined, made: object[]): JsonValue {
  const depth = above === undefined ? 1 : above.depth + 1;
  for (let step = above; step !== undefined; step = step.above)
    if (step.container === container) throw refused(above, 'a cycle');
  if (depth > deepest) throw refused(above, `nested more than ${deepest} levels deep`);
  const step = { above, depth, container, at: '' };
  const result = Array.isArray(container)
    ? copyArray(container, step, made)
    : copyObject(container, step, made);
  made.push(result);
  return result;
}

function copyArray(value: readonly unknown[], step: Step, made: object[]): JsonValue[] {
  // Of that length at once: an array that is filled by `push` keeps room for sixteen more, for as long as the log lives.
  const result = new Array<JsonValue>(value.length);
  for (let index = 0; index < value.length; index += 1) {
    step.at = index;
    if (!Object.hasOwn(value, index)) throw refused(step, 'a hole in an array');
    result[index] = copy(value[index], step, made);
  }
  if (Object.keys(value).length !== value.length) throw refused(step.above, 'an array with named members');
  return result;
}

function copyObject(value: object, step: Step, made: object[]): JsonObject {
  const prototype: unknown = Object.getPrototypeOf(value);
  const refuse = (what: string): Error => refused(step.above, what);
  if (prototype !== null && !isPlain(prototype)) throw refuse('an instance of a class');
  if ('toJSON' in value && typeof value.toJSON === 'function') throw refuse('an object with toJSON');
  if (Object.getOwnPropertySymbols(value).length > 0) throw refuse('an object with a symbol as key');
  // Reads each member once, and keeps one that is named `__proto__` as a member.
  const result: Record<string, unknown> = { ...value };
  for (const key of Object.keys(result)) {
    step.at = key;
    const member = result[key];
    const copied = copy(member, step, made);
    if (copied !== member) result[key] = copied;
  }
  return result as JsonObject;
}

/** `Object.prototype`, also that of another realm (a frame, a test runner's context). */
function isPlain(prototype: unknown): boolean {
  return (
    prototype === Object.prototype ||
    (Object.getPrototypeOf(prototype) === null && Object.hasOwn(prototype as object, 'isPrototypeOf'))
  );
}

function refused(step: Step | undefined, what: string): Error {
  return sessionError('NOT_JSON', `$${showPath(step)} is ${what}: JSON would not keep it`);
}

/** `.content[0].input["a b"]` */
function showPath(step: Step | undefined): string {
  if (step === undefined) return '';
  const { above, at } = step;
  if (typeof at === 'number') return `${showPath(above)}[${at}]`;
  return `${showPath(above)}${/^[A-Za-z_$][\w$]*$/.test(at) ? `.${at}` : `[${JSON.stringify(at)}]`}`;
}

/** Tells an object that is no array. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
