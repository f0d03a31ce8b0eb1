/** The test cases over ranges of seeds. */
import { it } from 'vitest';
import { checkSeeds, heavySeeds, lightSeeds } from '@dsh-internal/schedule-testing';
import { schedules } from './run.ts';
import { wideFrom } from './settings.ts';

export function heavyCases(): void {
  const narrow = heavySeeds(process.env, { inCi: 15_000, inLongRun: 750_000 }, { shares: 2 });
  const wide = heavySeeds(process.env, { inCi: 5_000, inLongRun: 250_000 }, { shares: 2, from: wideFrom });
  for (const seeds of [...narrow, ...wide]) {
    it(
      `keeps every promise in the schedules of seeds ${String(seeds.from)} to ${String(seeds.last)} [A1 A3 A9 A10 A28 A31]`,
      { timeout: seeds.timeoutMs },
      () => checkSeeds(schedules, seeds),
    );
  }
}

export function lightCases(): void {
  const seeds = lightSeeds(process.env);
  it('keeps every promise in some schedules [A1 A3 A9 A10 A31]', { timeout: seeds.timeoutMs }, () =>
    checkSeeds(schedules, seeds),
  );
  it(
    'keeps every promise over some logs that are not read yet [A1 A11 A28]',
    { timeout: seeds.timeoutMs },
    () => checkSeeds(schedules, { from: wideFrom, count: 200 }),
  );
}
