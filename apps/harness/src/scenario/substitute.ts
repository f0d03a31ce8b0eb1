/** [pure] `$parent`, `$self` and `$child:<label>` in a script: ids that nobody knew when it was written. */
import type { JsonValue } from '@deepseek-ai/dsh-session';

export interface KnownIds {
  readonly parent: string | undefined;
  readonly self: string | undefined;
  child(label: string): string | undefined;
}

/** A label inside a longer text ends where it could not go on as a word. */
const reference = /\$(parent|self|child:([\w.-]*[\w-]))/g;
const whole = /^\$(parent|self|child:(.+))$/;

/** Puts ids in the place of references, in every text of `value`. Throws where one names nobody. */
export function substitute(value: JsonValue, ids: KnownIds): JsonValue {
  if (typeof value === 'string') return substituteText(value, ids);
  if (Array.isArray(value)) return value.map((member: JsonValue) => substitute(member, ids));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, substitute(member, ids)]));
}

function substituteText(text: string, ids: KnownIds): string {
  const replace = (all: string, kind: string, label: string | undefined): string => {
    const id = kind === 'parent' ? ids.parent : kind === 'self' ? ids.self : ids.child(label ?? '');
    if (id === undefined) throw new Error(`the scenario names ${all}, and there is no such agent`);
    return id;
  };
  return whole.test(text) ? text.replace(whole, replace) : text.replace(reference, replace);
}

export interface Reference {
  readonly kind: 'parent' | 'self' | 'child';
  /** The label of a `$child:<label>`. */
  readonly child?: string;
  readonly path: readonly PropertyKey[];
}

/** What {@link substitute} puts ids in the place of; each with where it stands, below `path`. */
export function referencesIn(value: unknown, path: readonly PropertyKey[]): readonly Reference[] {
  if (typeof value === 'string') {
    const found = whole.test(value) ? [whole.exec(value)] : [...value.matchAll(reference)];
    return found.flatMap((match): readonly Reference[] => {
      const [, kind, child] = match ?? [];
      if (child !== undefined) return [{ kind: 'child', child, path }];
      return kind === 'parent' || kind === 'self' ? [{ kind, path }] : [];
    });
  }
  if (value === null || typeof value !== 'object') return [];
  const keyed: readonly (readonly [PropertyKey, unknown])[] = Array.isArray(value)
    ? value.map((member: unknown, at) => [at, member] as const)
    : Object.entries(value);
  return keyed.flatMap(([key, member]) => referencesIn(member, [...path, key]));
}

/** Whether `value` refers to a child. */
export function childrenNamed(value: unknown): boolean {
  return JSON.stringify(value ?? null).includes('$child:');
}
