/** The test cases over ranges of seeds. The environment says how many, or which seed alone. */
import { it } from 'vitest';
import { checkSeeds } from './report.ts';
import { wideFrom } from './settings.ts';

const cases = 10;
const inCi = 10_000;
const inLongRun = 1_000_000;

/** Half of the schedules: two files, so that two workers share them. The second half is wide. */
export function heavyCases(kind: 'narrow' | 'wide'): void {
  const wanted = Number(process.env['SCHEDULES'] ?? 0) / 2;
  const long = process.env['DSH_LONG_TESTS'] === '1';
  const total = wanted > 0 ? wanted : long ? inLongRun : inCi;
  const each = Math.ceil(total / cases);
  for (let index = 0; index < cases; index += 1) {
    const from = (kind === 'wide' ? wideFrom : 0) + index * each;
    const last = from + each - 1;
    it(
      `keeps every promise in the ${kind} schedules of seeds ${String(from)} to ${String(last)} [Q4 M28 M29 A3 S12]`,
      { timeout: Math.max(240_000, each * 200) },
      () => checkSeeds(from, each),
    );
  }
}

export function lightCases(): void {
  const alone = process.env['SEED'];
  const [from, count] = alone === undefined ? [3_000_000, 500] : [Number(alone), 1];
  it('keeps every promise in some schedules [Q4]', { timeout: 240_000 }, () => checkSeeds(from, count));
}
