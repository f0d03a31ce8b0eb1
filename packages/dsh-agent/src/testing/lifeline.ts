/**
 * A scheduler for the parts of one program of a test, which a crash takes away all at once.
 * I1. After `cut` nothing that was posted through it is picked any more, and nothing that is posted later.
 */
import type { Registration } from '@deepseek-ai/dsh-session';
import { registration } from './registration.ts';
import type { SeededScheduler } from './seeded-scheduler.ts';

/** Made by {@link lifeline}. */
export interface Lifeline extends SeededScheduler {
  /** The program is dead: nothing that it has posted comes any more. */
  cut(): void;
}

const nothing: Registration = registration(() => undefined);

/** What one program of a test posts to `scheduler`; other programs go on when it is cut. */
export function lifeline(scheduler: SeededScheduler): Lifeline {
  const waiting = new Set<Registration>();
  let over = false;
  const post: SeededScheduler['post'] = (label, run, options) => {
    if (over) return nothing;
    const entry = scheduler.post(
      label,
      () => {
        waiting.delete(entry);
        run();
      },
      options,
    );
    waiting.add(entry);
    return entry;
  };
  return {
    seed: scheduler.seed,
    random: () => scheduler.random(),
    choose: (label, count) => scheduler.choose(label, count),
    post,
    task: (label) =>
      new Promise((resolve) => {
        post(label, resolve);
      }),
    get pending() {
      return scheduler.pending;
    },
    get choices() {
      return scheduler.choices;
    },
    get trace() {
      return scheduler.trace;
    },
    step: () => scheduler.step(),
    run: (options) => scheduler.run(options),
    cut() {
      over = true;
      for (const entry of waiting) entry.dispose();
      waiting.clear();
    },
  };
}
