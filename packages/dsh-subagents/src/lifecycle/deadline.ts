import type { Clock } from '@deepseek-ai/dsh-session';
import { deferred } from '@dsh-internal/async';

/** One moment after which nothing is waited for any more. */
export interface Deadline extends Disposable {
  readonly passed: boolean;
  readonly reached: Promise<void>;
}

export function startDeadline(clock: Clock, ms: number): Deadline {
  const reached = deferred();
  let passed = false;
  const timer = clock.timer(ms, () => {
    passed = true;
    reached.resolve();
  });
  return {
    get passed() {
      return passed;
    },
    reached: reached.promise,
    [Symbol.dispose]: () => {
      timer.dispose();
    },
  };
}

/** Waits for `work` until the deadline. `false`: it had not ended by then; whatever it does later is contained. */
export async function within(work: Promise<unknown>, deadline: Deadline): Promise<boolean> {
  const late = Symbol('late');
  work.catch(() => undefined);
  const first = await Promise.race([work, deadline.reached.then(() => late)]);
  return first !== late;
}
