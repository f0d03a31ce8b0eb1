/**
 * A scheduler for tests: every answer of a port waits until the seed picks it.
 * Owns: the pending steps, their order, the record of a schedule.  Does not own: what a step does.
 * I1. Between two steps all microtasks have run, so that what can happen next is known in full.
 * I2. A choice is recorded only where there was one; the record alone repeats the schedule.
 * I3. One step at a time: `step` and `run` refuse to overlap.
 */
import type { Registration } from '@deepseek-ai/dsh-session';
import { drainMicrotasks } from './microtasks.ts';
import { registration } from './registration.ts';
import {
  choicesPicker,
  seededPicker,
  tracePicker,
  traceOf,
  type SchedulePicker,
  type ScheduleStrategy,
} from './schedule-picker.ts';
import { seededRandom } from './seeded-random.ts';

export interface SeededSchedulerOptions {
  /** Decides {@link SeededScheduler.random}, and the order where neither `choices` nor `trace` is given. Default 0. */
  readonly seed?: number;
  /** Repeats the schedule that these were recorded of; the oldest step comes first once they are used up. */
  readonly choices?: readonly number[];
  /** Repeats a schedule by its labels, and throws at the first step where that is not possible. */
  readonly trace?: readonly string[];
  /** Default `mixed`. */
  readonly strategy?: ScheduleStrategy;
}

/** When a step can be picked. */
export interface PostOptions {
  /** It can be picked only while this holds. */
  readonly ready?: () => boolean;
  /** It can be picked only where no other step can. */
  readonly idle?: boolean;
}

/** When a run ends. */
export interface ScheduleRunOptions {
  /** Looked at before each step. */
  readonly until?: () => boolean;
  /** Default 100,000. */
  readonly maxSteps?: number;
}

/** Made by {@link seededScheduler}. */
export interface SeededScheduler {
  /** What it was made with. */
  readonly seed: number;
  /** From 0 up to but not including 1, by the seed. For the `random` port; no part of the recorded choices. */
  random(): number;
  /** A decision of the test itself, from 0 up to but not including `count`, recorded with the others. */
  choose(label: string, count: number): number;
  /** Adds a step. `run` is called when it is picked; disposing the registration before takes it back. */
  post(label: string, run: () => void, options?: PostOptions): Registration;
  /** Resolves when the step is picked. */
  task(label: string): Promise<void>;
  /** The labels of the steps that wait, the oldest first. */
  readonly pending: readonly string[];
  /** What was chosen so far; a scheduler with these `choices` does the same. */
  readonly choices: readonly number[];
  /** The labels of what was picked and chosen so far. */
  readonly trace: readonly string[];
  /** One step, with all that follows from it in microtasks. `false` where none can be picked. */
  step(): Promise<boolean>;
  /** Steps until `until` holds or nothing is left to pick. Throws after `maxSteps`, naming the last labels. */
  run(options?: ScheduleRunOptions): Promise<'until' | 'rest'>;
}

interface Entry extends PostOptions {
  readonly label: string;
  readonly run: () => void;
}

/** A deterministic scheduler; a number is a seed. */
export function seededScheduler(options: number | SeededSchedulerOptions = {}): SeededScheduler {
  const settings = typeof options === 'number' ? { seed: options } : options;
  const seed = settings.seed ?? 0;
  const record = { choices: [] as number[], trace: [] as string[] };
  const queue = stepQueue(pickerOf(settings, seed), record);
  const exclusive = oneAtATime();

  return {
    seed,
    // Another stream than that of the picks: a replay of choices leaves it as it was.
    random: seededRandom(~seed),
    choose: (label, count) => queue.choose(label, count),
    post: (label, run, post) => queue.post(label, run, post),
    task: (label) =>
      new Promise((resolve) => {
        queue.post(label, resolve);
      }),
    get pending() {
      return queue.labels();
    },
    get choices() {
      return [...record.choices];
    },
    get trace() {
      return [...record.trace];
    },
    step: () =>
      exclusive(async () => {
        await drainMicrotasks();
        const picked = queue.runOne();
        await drainMicrotasks();
        return picked;
      }),
    run: ({ until, maxSteps = 100_000 } = {}) =>
      exclusive(async () => {
        for (let steps = 0; ; steps++) {
          await drainMicrotasks();
          if (until?.() === true) return 'until';
          if (steps >= maxSteps) throw new Error(restlessText(maxSteps, record.trace));
          if (!queue.runOne()) return 'rest';
        }
      }),
  };
}

function pickerOf(
  { choices, trace, strategy = 'mixed' }: SeededSchedulerOptions,
  seed: number,
): SchedulePicker {
  if (choices !== undefined) return choicesPicker(choices);
  if (trace !== undefined) return tracePicker(trace);
  return seededPicker(seed, strategy);
}

interface StepQueue {
  readonly labels: () => readonly string[];
  readonly post: SeededScheduler['post'];
  readonly choose: SeededScheduler['choose'];
  readonly runOne: () => boolean;
}

function stepQueue(
  picker: SchedulePicker,
  record: { readonly choices: number[]; readonly trace: string[] },
): StepQueue {
  const waiting: Entry[] = [];
  const remove = (entry: Entry): void => {
    const index = waiting.indexOf(entry);
    if (index >= 0) waiting.splice(index, 1);
  };
  const candidates = (): readonly Entry[] => {
    const ready = waiting.filter((entry) => entry.ready?.() !== false);
    const busy = ready.filter((entry) => entry.idle !== true);
    return busy.length > 0 ? busy : ready;
  };
  const recorded = (chosen: number, count: number): number => {
    if (count > 1) record.choices.push(chosen);
    return chosen;
  };
  return {
    labels: (): readonly string[] => waiting.map(({ label }) => label),
    post(label, run, options = {}) {
      const entry: Entry = { ...options, label, run };
      waiting.push(entry);
      return registration(() => {
        remove(entry);
      });
    },
    choose(label, count) {
      const chosen = recorded(picker.choose(label, count, record.trace.length), count);
      record.trace.push(traceOf(label, chosen));
      return chosen;
    },
    runOne() {
      const entries = candidates();
      if (entries.length === 0) return false;
      const labels = entries.map(({ label }) => label);
      const entry = entries[recorded(picker.pick(labels, record.trace.length), entries.length)];
      if (entry === undefined) throw new RangeError('a pick outside the pending steps');
      remove(entry);
      record.trace.push(entry.label);
      entry.run();
      return true;
    },
  };
}

function oneAtATime(): <T>(work: () => Promise<T>) => Promise<T> {
  let busy = false;
  return async (work) => {
    if (busy) throw new Error('the scheduler is stepping already');
    busy = true;
    try {
      return await work();
    } finally {
      busy = false;
    }
  };
}

function restlessText(maxSteps: number, trace: readonly string[]): string {
  return `the schedule did not come to rest in ${maxSteps} steps; the last ones: ${trace.slice(-20).join(', ')}`;
}
