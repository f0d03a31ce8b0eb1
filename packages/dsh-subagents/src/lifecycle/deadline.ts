/**
 * One moment after which nothing is waited for any more.
 * I1. Who is late is decided at that moment, for all at once: nothing that happens because of it changes the answer.
 */
import type { Clock } from '@deepseek-ai/dsh-session';
import { deferred } from '@dsh-internal/async';

export interface Deadline extends Disposable {
  readonly reached: Promise<void>;
  /** Work that is waited for. */
  readonly pending: Set<{ late: boolean }>;
  readonly passed: boolean;
}

export function startDeadline(clock: Clock, ms: number): Deadline {
  const reached = deferred();
  const pending: Deadline['pending'] = new Set();
  let passed = false;
  const timer = clock.timer(ms, () => {
    passed = true;
    for (const work of pending) work.late = true;
    reached.resolve();
  });
  return {
    ...{ pending, reached: reached.promise },
    get passed() {
      return passed;
    },
    [Symbol.dispose]: () => {
      timer.dispose();
    },
  };
}

/** Waits for `work` however long it takes. `false`: it had not ended at the deadline (I1). */
export async function watched(work: Promise<unknown>, deadline: Deadline): Promise<boolean> {
  const waited = { late: false };
  if (!deadline.passed) deadline.pending.add(waited);
  try {
    await work;
  } finally {
    deadline.pending.delete(waited);
  }
  return !waited.late;
}

/**
 * The same, until the deadline; whatever `work` does later is contained. What begins after the deadline is late by
 * nobody's fault but that of an earlier one, so it is not called late.
 */
export async function within(work: Promise<unknown>, deadline: Deadline): Promise<boolean> {
  work.catch(() => undefined);
  return watched(Promise.race([work, deadline.reached]), deadline);
}
