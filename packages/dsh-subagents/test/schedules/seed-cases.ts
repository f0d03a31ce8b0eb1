/** The test cases over ranges of seeds. */
import { it } from 'vitest';
import { checkSeeds, heavySeeds, lightSeeds } from '@dsh-internal/schedule-testing';
import { schedules } from './run.ts';
import { wideFrom } from './settings.ts';

/** Half of the schedules: two files, so that two workers share them. The second half is wide. */
export function heavyCases(kind: 'narrow' | 'wide'): void {
  const from = kind === 'wide' ? wideFrom : 0;
  for (const seeds of heavySeeds(process.env, { inCi: 10_000, inLongRun: 1_000_000 }, { from, shares: 2 })) {
    it(
      `keeps every promise in the ${kind} schedules of seeds ${String(seeds.from)} to ${String(seeds.last)} [Q4 M28 M29 A3 S12]`,
      { timeout: seeds.timeoutMs },
      () => checkSeeds(schedules, seeds),
    );
  }
}

export function lightCases(): void {
  const seeds = lightSeeds(process.env);
  it('keeps every promise in some schedules [Q4]', { timeout: seeds.timeoutMs }, () =>
    checkSeeds(schedules, seeds),
  );
}
