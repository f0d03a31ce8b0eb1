/** [pure] What is measured, and what several measurements of it say together. */

/** One number. `better` says which way is good. */
export interface Figure {
  readonly name: string;
  readonly unit: string;
  readonly value: number;
  readonly better: 'more' | 'less';
}

/** What one process measures. */
export interface Case {
  readonly title: string;
  readonly params: Params;
  /** Made once, before the runs, in a process of its own; what it writes stands in the folder that the runs get. */
  readonly prepare?: boolean;
}
export type Params = Readonly<Record<string, number | string>>;

export interface Scenario {
  readonly name: string;
  cases(long: boolean): readonly Case[];
  prepare?(params: Params, folder: string): Promise<void>;
  run(params: Params, folder: string): Promise<readonly Figure[]>;
}

export interface Result {
  readonly scenario: string;
  readonly title: string;
  readonly name: string;
  readonly unit: string;
  readonly better: 'more' | 'less';
  readonly runs: number;
  readonly median: number;
  /** The least and the greatest. */
  readonly spread: readonly [number, number];
}

export function summarize(
  scenario: string,
  title: string,
  runs: readonly (readonly Figure[])[],
): readonly Result[] {
  return (runs[0] ?? []).map(({ name, unit, better }) => {
    const values = runs.flatMap((figures) =>
      figures.filter((one) => one.name === name).map(({ value }) => value),
    );
    const sorted = values.sort((a, b) => a - b);
    const spread = [sorted[0] ?? NaN, sorted.at(-1) ?? NaN] as const;
    return { scenario, title, name, unit, better, runs: sorted.length, median: middle(sorted), spread };
  });
}

function middle(sorted: readonly number[]): number {
  const half = Math.floor(sorted.length / 2);
  const upper = sorted[half] ?? NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[half - 1] ?? NaN) + upper) / 2;
}

/** The value below which that share of `values` lies. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
}

export function numberOf(params: Params, name: string): number {
  const value = params[name];
  if (typeof value !== 'number') throw new TypeError(`${name} is no number`);
  return value;
}

export function textOf(params: Params, name: string): string {
  const value = params[name];
  if (typeof value !== 'string') throw new TypeError(`${name} is no text`);
  return value;
}
