/** [pure] One text for equal JSON values, whatever the order of their members. */
import type { JsonValue } from '@deepseek-ai/dsh-session';

/** `JSON.stringify` with the members of every object sorted by name (UTF-16 order). */
export function canonicalJson(value: JsonValue): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  const members = Object.keys(value).sort();
  const texts = members.map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key] ?? null)}`);
  return `{${texts.join(',')}}`;
}

function isArray(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}
