/** [pure] Which seeds the tests run. The environment says how many, or which one alone. */

/** `SCHEDULES`, `SEED` and `DSH_LONG_TESTS` are read of it. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The seeds of one test. */
export interface SeedRange {
  readonly from: number;
  readonly count: number;
  /** Of the last one. */
  readonly last: number;
  /** Long enough on a busy machine. */
  readonly timeoutMs: number;
}

/** How many tests share the seeds of a heavy run. */
const cases = 10;

/**
 * The seeds of a heavy run from `from` on, cut into a range for each test. As many as are given, or `SCHEDULES` of them
 * where the environment has it: that is for the whole run, of which these are one of `shares`.
 */
export function heavySeeds(
  env: Environment,
  amounts: { readonly inCi: number; readonly inLongRun: number },
  { from = 0, shares = 1 }: { readonly from?: number; readonly shares?: number } = {},
): readonly SeedRange[] {
  const wanted = Number(env['SCHEDULES'] ?? 0) / shares;
  const long = env['DSH_LONG_TESTS'] === '1';
  const total = wanted > 0 ? wanted : long ? amounts.inLongRun : amounts.inCi;
  const count = Math.ceil(total / cases);
  return Array.from({ length: cases }, (_, index) => {
    const first = from + index * count;
    return { from: first, count, last: first + count - 1, timeoutMs: Math.max(240_000, count * 200) };
  });
}

/** The seeds of a light run: `SEED` alone where the environment names it. */
export function lightSeeds(env: Environment): SeedRange {
  const alone = env['SEED'];
  const [from, count] = alone === undefined ? [3_000_000, 500] : [Number(alone), 1];
  return { from, count, last: from + count - 1, timeoutMs: 240_000 };
}
