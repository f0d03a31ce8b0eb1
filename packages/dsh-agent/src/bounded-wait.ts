/** Waiting on the clock port: for a time, or for something but not longer than a time. */
import type { Clock } from '@deepseek-ai/dsh-session';
import { deferred, untilAborted } from '@dsh-internal/async';

/** Resolves after `ms` milliseconds. Rejects with the signal's reason as soon as that aborts. */
export async function sleep(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = deferred();
  const timer = clock.timer(ms, () => {
    resolve();
  });
  try {
    await untilAborted(promise, signal);
  } finally {
    timer.dispose();
  }
}

/** `true` when `work` has settled, `false` when it has not within `ms`. What it rejects with goes to `onFailure`. */
export async function settlesWithin(
  clock: Clock,
  ms: number,
  work: Promise<unknown>,
  onFailure: (error: unknown) => void,
): Promise<boolean> {
  const { promise, resolve } = deferred<boolean>();
  const timer = clock.timer(ms, () => {
    resolve(false);
  });
  work.then(
    () => {
      resolve(true);
    },
    (error: unknown) => {
      onFailure(error);
      resolve(true);
    },
  );
  const settled = await promise;
  timer.dispose();
  return settled;
}
