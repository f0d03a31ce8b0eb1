import { deferred } from '@dsh-internal/async';
import type { Clock } from '../clock.ts';

/** Settles like `work`, or rejects when `ms` are over; `work` itself goes on. */
export async function withinMs(clock: Clock, ms: number, work: Promise<void>): Promise<void> {
  const late = deferred<never>();
  const timer = clock.timer(ms, () => {
    late.reject(new Error(`it took longer than ${ms} ms`));
  });
  try {
    await Promise.race([work, late.promise]);
  } finally {
    timer.dispose();
  }
}
