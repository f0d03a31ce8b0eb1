/** [pure] How long a provider wants to be left alone. */

export type ResponseHeaders = Readonly<Record<string, string | undefined>>;

/** In milliseconds, from `retry-after-ms`, or from `retry-after` in seconds or as a date. Nothing where neither helps. */
export function retryAfterMs(headers: ResponseHeaders | undefined, now: number): number | undefined {
  if (headers === undefined) return undefined;
  const byName = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  return amount(byName.get('retry-after-ms'), 1) ?? afterHeader(byName.get('retry-after'), now);
}

function afterHeader(value: string | undefined, now: number): number | undefined {
  const seconds = amount(value, 1000);
  if (seconds !== undefined || value === undefined) return seconds;
  // `Date.parse` takes a bare number for a year.
  const date = /[a-z]/i.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

function amount(value: string | undefined, unit: number): number | undefined {
  if (value === undefined || !/^\s*\d+(?:\.\d+)?\s*$/.test(value)) return undefined;
  return Math.ceil(Number(value) * unit);
}
