/** The schedules of children: how one is run to its end. */
import { shrinkChoices } from '@deepseek-ai/dsh-agent/testing';
import { runTrial, type Schedules } from '@dsh-internal/schedule-testing';
import type { Happening } from './happening.ts';
import { openRoot, rootIds } from './host-operations.ts';
import { invariantsOf } from './invariants.ts';
import { narrate } from './narrate.ts';
import { play } from './play.ts';
import { openProgram } from './program.ts';
import { createTrial, type Trial } from './trial.ts';

export const schedules: Schedules<Happening> = {
  narrate,
  shrink: (choices, fails) => shrinkChoices(choices, fails, { maxRuns: 300 }),
  run(schedule, watch) {
    const trial = createTrial(schedule);
    return runTrial(trial, trial.scheduler, {
      maxSteps: 20_000,
      endless: '[M27 A11]',
      async begin() {
        await openProgram(trial);
        trial.invariants = [...(watch === undefined ? [] : [watch]), ...invariantsOf(trial)];
        for (const id of rootIds.slice(0, trial.settings.roots))
          trial.track({ kind: 'open' }, () => openRoot(trial, id));
        play(trial);
      },
      finish: (run) => finish(trial, run),
    });
  },
};

/** The host unloads everything: by a drain and then the rest, or by the registry alone. */
async function finish(trial: Trial, run: () => Promise<unknown>): Promise<void> {
  const { program, settings } = trial;
  program.ending = true;
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
