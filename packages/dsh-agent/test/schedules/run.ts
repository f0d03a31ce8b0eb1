/** The schedules of agents: how one is run to its end. */
import { shrinkChoices } from '@deepseek-ai/dsh-agent/testing';
import type { MessageId, SessionId } from '@deepseek-ai/dsh-session';
import { runTrial, type Schedules } from '@dsh-internal/schedule-testing';
import type { Happening } from './happening.ts';
import { invariantsOf } from './invariants.ts';
import { narrate } from './narrate.ts';
import { play } from './play.ts';
import { agentIds, openAgent, openProgram } from './program.ts';
import { storeLong } from './stored.ts';
import { createTrial, springs, type Trial } from './trial.ts';

export const schedules: Schedules<Happening> = {
  narrate,
  shrink: (choices, fails) => shrinkChoices(choices, fails, { maxRuns: 300 }),
  run(schedule, watch) {
    const trial = createTrial(schedule);
    return runTrial(trial, trial.scheduler, {
      maxSteps: 10_000,
      endless: '[A10 A11 A23]',
      async begin() {
        trial.invariants = [...(watch === undefined ? [] : [watch]), ...invariantsOf(trial), springs(trial)];
        const ids = agentIds.slice(0, trial.settings.agents);
        if (trial.settings.longLogs) await storeEarlier(trial, ids);
        await openProgram(trial);
        for (const id of ids) trial.track({ kind: 'open' }, () => openAgent(trial, id));
        play(trial);
      },
      async finish(run) {
        const { program } = trial;
        program.ending = true;
        trial.track({ kind: 'registry-disposal' }, () => program.agents[Symbol.asyncDispose]());
        await run();
        trial.track({ kind: 'store-disposal' }, () => program.sessions[Symbol.asyncDispose]());
        await run();
      },
    });
  },
};

/** Each agent's own messages; of another's log the ids are new. */
async function storeEarlier(trial: Trial, ids: readonly SessionId[]): Promise<void> {
  for (const id of ids) {
    const own = [1, 2, 3].map((number) => `${id}${String(number)}` as MessageId);
    trial.ids.push(...own);
    await storeLong(trial.medium, id, own);
  }
}
