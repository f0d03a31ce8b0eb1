/**
 * A clock whose timers are steps of a scheduler.
 * I1. Only the timer that is due first can be picked, as on a real clock.
 * I2. Picking it moves `now` to its due time.
 */
import type { Clock } from '@deepseek-ai/dsh-session';
import { registration } from './registration.ts';
import type { SeededScheduler } from './seeded-scheduler.ts';
import { earliestDue, VIRTUAL_START } from './virtual-clock.ts';

export interface ScheduledClockOptions {
  /** Unix time in milliseconds. */
  readonly start?: number;
  /**
   * When a timer may come. `any`: before any other step, as if everything else were slow. `idle`: only where
   * nothing else can go on. Default `any`.
   */
  readonly fire?: 'any' | 'idle';
}

interface Timer {
  readonly due: number;
}

/** Time that `scheduler` moves. */
export function scheduledClock(
  scheduler: SeededScheduler,
  { start = VIRTUAL_START, fire = 'any' }: ScheduledClockOptions = {},
): Clock {
  let now = start;
  const timers = new Set<Timer>();
  return {
    now: () => now,
    timer(ms, run) {
      const timer: Timer = { due: now + Math.max(0, ms) };
      timers.add(timer);
      const fired = (): void => {
        timers.delete(timer);
        now = Math.max(now, timer.due);
        run();
      };
      const step = scheduler.post(`timer ${ms}`, fired, {
        ready: () => earliestDue(timers) === timer,
        idle: fire === 'idle',
      });
      return registration(() => {
        timers.delete(timer);
        step.dispose();
      });
    },
  };
}
