/**
 * Time that a test moves by hand.
 * I1. Timers run in the order of their due time, then of their making, each with `now` at its own due time.
 * I2. Time never goes back.
 */
import type { Clock } from '@deepseek-ai/dsh-session';
import { registration } from './registration.ts';

/** Where a virtual clock starts: the first of January 2026, UTC. */
export const VIRTUAL_START = 1_767_225_600_000;

export interface VirtualClock extends Clock {
  /** Moves time by `ms`, and runs what comes due on the way, synchronously; also timers that those make. */
  advance(ms: number): void;
  /** Moves time to the next timer and runs that one alone. `false` where none waits. */
  advanceToNext(): boolean;
  /** How many timers wait. */
  readonly pending: number;
}

interface Timer {
  readonly due: number;
  readonly run: () => void;
}

/** A clock that stands still until it is moved. `start` is Unix time in milliseconds. */
export function virtualClock(start: number = VIRTUAL_START): VirtualClock {
  let now = start;
  const timers = new Set<Timer>();

  const fire = (timer: Timer): void => {
    timers.delete(timer);
    now = Math.max(now, timer.due);
    timer.run();
  };

  return {
    now: () => now,
    timer(ms, run) {
      const timer: Timer = { due: now + Math.max(0, ms), run };
      timers.add(timer);
      return registration(() => {
        timers.delete(timer);
      });
    },
    advance(ms) {
      const end = now + Math.max(0, ms);
      for (
        let timer = earliestDue(timers);
        timer !== undefined && timer.due <= end;
        timer = earliestDue(timers)
      )
        fire(timer);
      now = end;
    },
    advanceToNext() {
      const timer = earliestDue(timers);
      if (timer === undefined) return false;
      fire(timer);
      return true;
    },
    get pending() {
      return timers.size;
    },
  };
}

/** The first that is due, the older of two that are due together. A set keeps the order of making. */
export function earliestDue<T extends { readonly due: number }>(timers: ReadonlySet<T>): T | undefined {
  let first: T | undefined;
  for (const timer of timers) if (first === undefined || timer.due < first.due) first = timer;
  return first;
}
