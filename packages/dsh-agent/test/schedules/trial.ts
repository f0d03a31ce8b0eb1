/**
 * One schedule while it runs: its scheduler, its program, what has happened, and what was found wrong.
 * I1. What a program tells after its crash is not heard: it is dead for everyone else too.
 */
import type { Agent } from '@deepseek-ai/dsh-agent';
import { memoryMedium, type MemoryMedium, type MessageId } from '@deepseek-ai/dsh-session';
import { seededScheduler, type SeededScheduler } from '@deepseek-ai/dsh-agent/testing';
import type { Happening, Invariant, Operation } from './happening.ts';
import type { Program } from './program.ts';
import { drawSettings, type Settings } from './settings.ts';

/** How a schedule is decided: by a seed, or by the choices of an earlier run. */
export interface Schedule {
  readonly seed: number;
  readonly choices?: readonly number[];
}

export interface Trial {
  readonly scheduler: SeededScheduler;
  readonly settings: Settings;
  readonly medium: MemoryMedium;
  /** The one that runs now. */
  program: Program;
  programs: number;
  readonly violations: string[];
  readonly operations: Operation[];
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
  invariants: readonly Invariant[];
  choose(label: string, count: number): number;
  pick<T>(label: string, items: readonly T[]): T | undefined;
  chance(label: string, oneIn: number): boolean;
  fail(message: string): void;
  tell(happening: Happening): void;
  track(about: Pick<Operation, 'kind' | 'agent' | 'messageId'>, call: () => unknown): void;
}

export function createTrial(schedule: Schedule): Trial {
  const scheduler = seededScheduler(schedule);
  const settings = drawSettings((label, count) => scheduler.choose(label, count));
  const trial: Trial = {
    ...{ scheduler, settings, medium: memoryMedium() },
    program: undefined as unknown as Program, // opened before anything looks at it
    programs: 0,
    violations: [],
    operations: [],
    armed: [],
    ids: [],
    discarding: new Set(),
    fuel: settings.fuel,
    inside: 0,
    accepts: 0,
    springs: 0,
    invariants: [],
    choose: (label, count) => scheduler.choose(label, count),
    pick: (label, items) => (items.length === 0 ? undefined : items[scheduler.choose(label, items.length)]),
    chance: (label, oneIn) => scheduler.choose(label, oneIn) === oneIn - 1,
    fail(message) {
      if (!trial.violations.includes(message)) trial.violations.push(message);
    },
    tell(happening) {
      for (const invariant of trial.invariants) invariant.see?.(happening);
      const index = trial.armed.findIndex(({ at }) => at === happening.at);
      const [armed] = index >= 0 ? trial.armed.splice(index, 1) : [];
      if (armed === undefined) return;
      trial.inside += 1;
      trial.springs += 1;
      armed.run();
      trial.inside -= 1;
    },
    track(about, call) {
      track(trial, about, call);
    },
  };
  return trial;
}

function track(
  trial: Trial,
  about: Pick<Operation, 'kind' | 'agent' | 'messageId'>,
  call: () => unknown,
): void {
  const operation: Operation = { ...about, program: trial.programs, state: 'open' };
  trial.operations.push(operation);
  trial.tell({ at: 'call', operation });
  const answer = (state: 'done' | 'refused', error?: unknown): void => {
    if (operation.program !== trial.programs) return;
    Object.assign(operation, { state, error });
    trial.tell({ at: 'answer', operation });
  };
  (async () => call())().then(
    () => {
      answer('done');
    },
    (error: unknown) => {
      answer('refused', error);
    },
  );
}
