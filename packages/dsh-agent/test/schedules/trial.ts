/** One schedule while it runs: its program, its agents, and the operations that wait inside of it. */
import type { Agent } from '@deepseek-ai/dsh-agent';
import { memoryMedium, type MemoryMedium, type MessageId } from '@deepseek-ai/dsh-session';
import { seededScheduler, type SeededScheduler } from '@deepseek-ai/dsh-agent/testing';
import { createTrial as createBase, type Schedule, type Trial as Base } from '@dsh-internal/schedule-testing';
import type { Asked, Happening, Invariant } from './happening.ts';
import type { Program } from './program.ts';
import { drawSettings, wideFrom, type Settings } from './settings.ts';

export interface Trial extends Base<Happening, Asked> {
  readonly scheduler: SeededScheduler;
  readonly settings: Settings;
  readonly medium: MemoryMedium;
  /** The one that runs now. */
  program: Program;
  /** Operations that wait for a happening, in whose span they are called. */
  readonly armed: { readonly at: Happening['at']; readonly run: () => void }[];
  /** Every id that was ever given to an acceptance. */
  readonly ids: MessageId[];
  /** Whose disposal was told to discard what waits. */
  readonly discarding: Set<Agent>;
  fuel: number;
  /** How many listeners the test is inside of. */
  inside: number;
  /** How often an armed operation was called: what is called while it changes cannot be looked at as alone. */
  springs: number;
  /** How often something was given to an agent. */
  accepts: number;
}

export function createTrial(schedule: Schedule): Trial {
  const scheduler = seededScheduler(schedule);
  const settings = drawSettings((label, count) => scheduler.choose(label, count), schedule.seed >= wideFrom);
  return Object.assign(createBase<Happening, Asked>(scheduler), {
    ...{ scheduler, settings, medium: memoryMedium() },
    program: undefined as unknown as Program, // opened before anything looks at it
    armed: [],
    ids: [],
    discarding: new Set<Agent>(),
    fuel: settings.fuel,
    inside: 0,
    accepts: 0,
    springs: 0,
  });
}

/** Calls what was armed for a happening, in its span: after the invariants have heard of it. */
export function springs(trial: Trial): Invariant {
  return {
    see(happening) {
      const index = trial.armed.findIndex(({ at }) => at === happening.at);
      const [armed] = index >= 0 ? trial.armed.splice(index, 1) : [];
      if (armed === undefined) return;
      trial.inside += 1;
      trial.springs += 1;
      armed.run();
      trial.inside -= 1;
    },
  };
}
