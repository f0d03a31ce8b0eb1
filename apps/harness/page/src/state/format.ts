/** [pure] Numbers and times for people. */
import type { Spent, Time, Tokens } from '../wire.ts';

const units: readonly (readonly [ms: number, name: string])[] = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'min'],
  [1_000, 's'],
];

/** `3 s`, `2 min`, `5 h`, `4 d`. */
export function duration(ms: number): string {
  for (const [size, name] of units) if (ms >= size) return `${Math.floor(ms / size)} ${name}`;
  return '0 s';
}

export const count = (value: number): string => value.toLocaleString('en');

/** `1 message`, `2 messages`. */
export const counted = (value: number, one: string, many = `${one}s`): string =>
  `${count(value)} ${value === 1 ? one : many}`;

export const allTokens = ({ input, output }: Tokens): number => input + output;

/** `0.0123 USD`; small sums keep two digits that say something. */
export function cost({ cost: sum }: Spent, currency: string | undefined): string | undefined {
  if (sum === undefined) return undefined;
  const unit = currency === undefined ? '' : ` ${currency}`;
  if (sum > 0 && sum < 1e-6) return `< 0.000001${unit}`;
  const digits = sum === 0 || sum >= 1 ? 2 : Math.min(6, 1 - Math.floor(Math.log10(sum)));
  return `${sum.toFixed(digits)}${unit}`;
}

const two = (value: number): string => String(value).padStart(2, '0');

/** The time of day, and the date where it is another one than today. In the zone of the browser. */
export function clock(time: Time, now: Time): string {
  const date = new Date(time);
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  const today = new Date(now);
  const same =
    today.getFullYear() === date.getFullYear() &&
    today.getMonth() === date.getMonth() &&
    today.getDate() === date.getDate();
  const hours = `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
  return same ? hours : `${day} ${hours}`;
}

/** For machines, and for whoever points at it. */
export function isoTime(time: Time): string {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? '' : date.toISOString();
}

export function bytes(value: number): string {
  if (value < 1_024) return counted(value, 'byte');
  if (value < 1_048_576) return `${(value / 1_024).toFixed(1)} KiB`;
  return `${(value / 1_048_576).toFixed(1)} MiB`;
}
