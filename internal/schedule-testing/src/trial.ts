/**
 * One schedule while it runs: its scheduler, which program of it is alive, what was asked, and what was found wrong.
 * I1. The answer to an operation of a program that has crashed is not heard: it is dead for everyone else too.
 * I2. A violation is kept once, however often it is seen.
 */
import type { Invariant, ScheduleResult, Scheduler } from './schedule.ts';

/** An asynchronous call of the test, from the call to its answer. `About` says what it was asked. */
export type Operation<About> = About & {
  readonly number: number;
  /** Which program of the schedule it was asked of: a crash begins the next one. */
  readonly program: number;
  state: 'open' | 'done' | 'refused';
  value?: unknown;
  error?: unknown;
};

/** What a trial itself tells of its operations. */
export interface Called<About> {
  readonly at: 'call' | 'answer';
  readonly operation: Operation<About>;
}

/** What every trial has. `Told` is what its invariants hear of, {@link Called} among it. */
export interface Trial<Told, About> {
  /** How many programs there were: the last one is the one that runs now. */
  programs: number;
  readonly violations: readonly string[];
  readonly operations: readonly Operation<About>[];
  invariants: readonly Invariant<Told | Called<About>>[];
  choose(label: string, count: number): number;
  /** One of `items`, or `undefined` where there are none. */
  pick<T>(label: string, items: readonly T[]): T | undefined;
  /** True once in `oneIn` times. */
  chance(label: string, oneIn: number): boolean;
  fail(violation: string): void;
  /** Tells the invariants, in their order. */
  tell(happening: Told | Called<About>): void;
  /** Makes a call and tells of it now, and when it is answered. What it throws is its answer. */
  track(about: About, call: () => unknown): Operation<About>;
}

export function createTrial<Told, About>(scheduler: Scheduler): Trial<Told, About> {
  const violations: string[] = [];
  const operations: Operation<About>[] = [];
  const trial: Trial<Told, About> = {
    programs: 0,
    violations,
    operations,
    invariants: [],
    choose: (label, count) => scheduler.choose(label, count),
    pick: (label, items) => (items.length === 0 ? undefined : items[scheduler.choose(label, items.length)]),
    chance: (label, oneIn) => scheduler.choose(label, oneIn) === oneIn - 1,
    fail(violation) {
      if (!violations.includes(violation)) violations.push(violation);
    },
    tell(happening) {
      for (const invariant of trial.invariants) invariant.see?.(happening);
    },
    track(about, call) {
      const place = { number: operations.length, program: trial.programs, state: 'open' as const };
      const operation: Operation<About> = { ...about, ...place };
      operations.push(operation);
      answerOf(trial, operation, call);
      return operation;
    },
  };
  return trial;
}

function answerOf<Told, About>(
  trial: Trial<Told, About>,
  operation: Operation<About>,
  call: () => unknown,
): void {
  trial.tell({ at: 'call', operation });
  const answer = (state: 'done' | 'refused', result: { value: unknown } | { error: unknown }): void => {
    if (operation.program !== trial.programs) return;
    Object.assign(operation, { state, ...result });
    trial.tell({ at: 'answer', operation });
  };
  (async () => call())().then(
    (value) => {
      answer('done', { value });
    },
    (error: unknown) => {
      answer('refused', { error });
    },
  );
}

/** How a trial begins and ends. */
export interface Course {
  readonly maxSteps: number;
  /** Opens the first program, sets the invariants and posts what is to be done. */
  begin(): Promise<void>;
  /** Disposes everything. `run` goes on until nothing is left to pick. */
  finish(run: () => Promise<unknown>): Promise<void>;
  /** The rules that a schedule breaks which does not come to its end, in brackets. */
  readonly endless: string;
}

/** Runs a trial from its beginning to its end and says what was found wrong. It never rejects. */
export async function runTrial<Told, About>(
  trial: Pick<Trial<Told, About>, 'invariants' | 'violations' | 'fail'>,
  scheduler: Scheduler,
  course: Course,
): Promise<ScheduleResult> {
  const run = (): Promise<unknown> => scheduler.run({ maxSteps: course.maxSteps });
  try {
    await course.begin();
    await run();
    for (const invariant of trial.invariants) invariant.rest?.();
    await course.finish(run);
    for (const invariant of trial.invariants) await invariant.end?.();
  } catch (error) {
    trial.fail(`${course.endless} the schedule did not come to its end: ${String(error)}`);
  }
  return { violations: trial.violations, choices: scheduler.choices, steps: scheduler.trace.length };
}
