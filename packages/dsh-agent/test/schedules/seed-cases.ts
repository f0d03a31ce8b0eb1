/** The test cases over ranges of seeds. The environment says how many, or which seed alone. */
import { it } from 'vitest';
import { checkSeeds } from './report.ts';

const cases = 10;
const inCi = 20_000;
const inLongRun = 1_000_000;

export function heavyCases(): void {
  const wanted = Number(process.env['SCHEDULES'] ?? 0);
  const total = wanted > 0 ? wanted : process.env['DSH_LONG_TESTS'] === '1' ? inLongRun : inCi;
  const each = Math.ceil(total / cases);
  for (let index = 0; index < cases; index += 1) {
    const from = index * each;
    it(
      `keeps every promise in the schedules of seeds ${String(from)} to ${String(from + each - 1)} [A1 A3 A9 A10 A31]`,
      { timeout: Math.max(240_000, each * 200) },
      () => checkSeeds(from, each),
    );
  }
}

export function lightCases(): void {
  const alone = process.env['SEED'];
  const [from, count] = alone === undefined ? [3_000_000, 500] : [Number(alone), 1];
  it('keeps every promise in some schedules [A1 A3 A9 A10 A31]', { timeout: 240_000 }, () =>
    checkSeeds(from, count),
  );
}
