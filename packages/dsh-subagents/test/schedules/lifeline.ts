/**
 * A scheduler for the parts of one program, which a crash takes away all at once.
 * I1. After `cut` nothing that was posted through it is picked any more, and nothing that is posted later.
 */
import type { SeededScheduler } from '@deepseek-ai/dsh-agent/testing';
import type { Registration } from '@deepseek-ai/dsh-session';

export interface Lifeline extends SeededScheduler {
  cut(): void;
}

const nothing: Registration = { dispose() {}, [Symbol.dispose]() {} };

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
