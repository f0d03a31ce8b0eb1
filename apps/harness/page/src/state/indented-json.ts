/** [pure] */

/** JSON over several lines; what cannot be read as JSON, because it was cut, stays as it is. */
export function indentedJson(text: string): string {
  try {
    const value: unknown = JSON.parse(text);
    return JSON.stringify(value, null, 2);
  } catch {
    return text;
  }
}
