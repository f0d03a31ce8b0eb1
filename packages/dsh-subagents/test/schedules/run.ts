/** Runs one schedule to its end and says what was found wrong. */
import type { Invariant } from './happening.ts';
import { openRoot, rootIds } from './host-operations.ts';
import { invariantsOf } from './invariants.ts';
import { play } from './play.ts';
import { openProgram } from './program.ts';
import { createTrial, type Schedule, type Trial } from './trial.ts';

export interface ScheduleResult {
  /** Empty where every promise was kept. */
  readonly violations: readonly string[];
  readonly choices: readonly number[];
  readonly trace: readonly string[];
  readonly steps: number;
}

const maxSteps = 20_000;

export async function runSchedule(schedule: Schedule, watch?: Invariant): Promise<ScheduleResult> {
  const trial = createTrial(schedule);
  const { scheduler } = trial;
  try {
    await openProgram(trial);
    trial.invariants = [...(watch === undefined ? [] : [watch]), ...invariantsOf(trial)];
    for (const id of rootIds.slice(0, trial.settings.roots))
      trial.track({ kind: 'open' }, () => openRoot(trial, id));
    play(trial);
    await scheduler.run({ maxSteps });
    for (const invariant of trial.invariants) invariant.rest?.();
    await finish(trial);
    for (const invariant of trial.invariants) await invariant.end?.();
  } catch (error) {
    trial.fail(`[M27 A11] the schedule did not come to its end: ${String(error)}`);
  }
  return {
    violations: trial.violations,
    choices: scheduler.choices,
    trace: scheduler.trace,
    steps: scheduler.trace.length,
  };
}

/** The host unloads everything: by a drain and then the rest, or by the registry alone. */
async function finish(trial: Trial): Promise<void> {
  const { program, scheduler, settings } = trial;
  program.ending = true;
  const run = () => scheduler.run({ maxSteps });
  trial.stop({ scope: 'all' });
  if (!settings.endByRegistry) {
    trial.track({ kind: 'last-drain' }, () => program.runtime.drain());
    await run();
  }
  trial.track({ kind: 'registry-disposal' }, () => program.agents[Symbol.asyncDispose]());
  await run();
  for (const invariant of trial.invariants) invariant.unloaded?.();
  trial.track({ kind: 'store-disposal' }, () => program.sessions[Symbol.asyncDispose]());
  await run();
}
