/** Runs one schedule to its end and says what was found wrong. */
import type { Invariant } from './happening.ts';
import { invariantsOf } from './invariants.ts';
import { play } from './play.ts';
import { agentIds, openAgent, openProgram } from './program.ts';
import { createTrial, type Schedule, type Trial } from './trial.ts';

export interface ScheduleResult {
  /** Empty where every promise was kept. */
  readonly violations: readonly string[];
  readonly choices: readonly number[];
  readonly steps: number;
}

const maxSteps = 10_000;

export async function runSchedule(schedule: Schedule, watch?: Invariant): Promise<ScheduleResult> {
  const trial = createTrial(schedule);
  const { scheduler } = trial;
  trial.invariants = [...(watch === undefined ? [] : [watch]), ...invariantsOf(trial)];
  try {
    await openProgram(trial);
    for (const id of agentIds.slice(0, trial.settings.agents)) {
      trial.track({ kind: 'open' }, () => openAgent(trial, id));
    }
    play(trial);
    await scheduler.run({ maxSteps });
    for (const invariant of trial.invariants) invariant.rest?.();
    await finish(trial);
    for (const invariant of trial.invariants) await invariant.end?.();
  } catch (error) {
    trial.fail(`[A10 A11 A23] the schedule did not come to its end: ${String(error)}`);
  }
  return { violations: trial.violations, choices: scheduler.choices, steps: scheduler.trace.length };
}

async function finish(trial: Trial): Promise<void> {
  const { program, scheduler } = trial;
  program.ending = true;
  trial.track({ kind: 'registry-disposal' }, () => program.agents[Symbol.asyncDispose]());
  await scheduler.run({ maxSteps });
  trial.track({ kind: 'store-disposal' }, () => program.sessions[Symbol.asyncDispose]());
  await scheduler.run({ maxSteps });
}
