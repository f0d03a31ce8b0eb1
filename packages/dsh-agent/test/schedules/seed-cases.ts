/** The test cases over ranges of seeds. */
import { it } from 'vitest';
import { checkSeeds, heavySeeds, lightSeeds } from '@dsh-internal/schedule-testing';
import { schedules } from './run.ts';

export function heavyCases(): void {
  for (const seeds of heavySeeds(process.env, { inCi: 20_000, inLongRun: 1_000_000 })) {
    it(
      `keeps every promise in the schedules of seeds ${String(seeds.from)} to ${String(seeds.last)} [A1 A3 A9 A10 A31]`,
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
}
