/** The test cases over ranges of seeds. */
import { it } from 'vitest';
import { checkSeeds, heavySeeds, lightSeeds } from '@dsh-internal/schedule-testing';
import { schedules } from './run.ts';
import { faultyFrom, wideFrom, type ScheduleKind } from './settings.ts';

const runs = {
  narrow: { from: 0, inCi: 10_000, inLongRun: 900_000 },
  wide: { from: wideFrom, inCi: 8_000, inLongRun: 900_000 },
  faulty: { from: faultyFrom, inCi: 3_000, inLongRun: 200_000 },
} as const;

/** The schedules of one kind: a file for each, so that workers share them. */
export function heavyCases(kind: ScheduleKind): void {
  const { from, ...amounts } = runs[kind];
  for (const seeds of heavySeeds(process.env, amounts, { from, shares: 3 })) {
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
