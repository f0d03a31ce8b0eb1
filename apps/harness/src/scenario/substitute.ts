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

/** The labels that `value` refers to. */
export function childrenNamed(value: unknown): boolean {
  return JSON.stringify(value ?? null).includes('$child:');
}
