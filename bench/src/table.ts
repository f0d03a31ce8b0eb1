/** [pure] Results as lines of text. */
import type { Result } from './figure.ts';

const columns = ['scenario', 'case', 'figure', 'median', 'least', 'greatest', 'unit'] as const;

export function table(results: readonly Result[]): string {
  const rows = results.map(({ scenario, title, name, median, spread, unit }) => [
    scenario,
    title,
    name,
    short(median),
    short(spread[0]),
    short(spread[1]),
    unit,
  ]);
  const all = [[...columns], ...rows];
  const widths = columns.map((_, index) => Math.max(...all.map((row) => row[index]?.length ?? 0)));
  const line = (row: readonly string[]): string =>
    row
      .map((cell, index) =>
        index > 2 && index < 6 ? cell.padStart(widths[index] ?? 0) : cell.padEnd(widths[index] ?? 0),
      )
      .join('  ')
      .trimEnd();
  return all.map(line).join('\n');
}

/** Three digits that count. */
function short(value: number): string {
  if (!Number.isFinite(value)) return '-';
  const digits = Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value) || 1)));
  return value.toFixed(Math.min(3, digits));
}
