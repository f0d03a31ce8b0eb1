/** [pure] What a schedule is, and what has to be known to run one, to watch it and to tell of it. */

/** How a schedule is decided: by a seed, or by the choices of an earlier run. */
export interface Schedule {
  readonly seed: number;
  readonly choices?: readonly number[];
}

/** What one schedule came to. */
export interface ScheduleResult {
  /** Empty where every promise was kept. Each begins with the rules that it breaks, in brackets. */
  readonly violations: readonly string[];
  /** A schedule of the same seed with these goes the same way. */
  readonly choices: readonly number[];
  readonly steps: number;
}

/** What is needed of a scheduler: the seeded one of `dsh-agent/testing` has it. */
export interface Scheduler {
  /** A decision of the test, from 0 up to but not including `count`. */
  choose(label: string, count: number): number;
  /** Adds a step, which the seed picks some time. */
  post(label: string, run: () => void): unknown;
  /** Steps until nothing is left to pick. Throws after `maxSteps`. */
  run(options: { readonly maxSteps: number }): Promise<unknown>;
  readonly choices: readonly number[];
  readonly trace: readonly string[];
}

/** One promise of the product, looked at while a schedule runs and at its end. */
export interface Invariant<Happening> {
  see?(happening: Happening): void;
  /** Nothing is left to pick, and the test has disposed nothing yet. */
  rest?(): void;
  /** What the registry held was disposed; the store is still open. */
  unloaded?(): void;
  /** Everything was disposed, and nothing is left to pick. */
  end?(): void | Promise<void>;
}

/** The schedules of one package: how one of them is run and told. */
export interface Schedules<Happening> {
  /** `watch` hears of everything before the invariants do. What breaks a promise is answered, never thrown. */
  run(schedule: Schedule, watch?: Invariant<Happening>): Promise<ScheduleResult>;
  /** One line for whoever has to understand a failure. */
  narrate(happening: Happening): string;
  /** Looks for fewer choices that still fail. */
  shrink(
    choices: readonly number[],
    fails: (choices: readonly number[]) => Promise<boolean>,
  ): Promise<{ readonly choices: readonly number[] }>;
}
