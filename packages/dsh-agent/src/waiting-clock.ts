/** The machine's clock for waits that somebody is in: a process does not end in the middle of one. */
import type { Clock } from '@deepseek-ai/dsh-session';

/** The longest time that `setTimeout` can hold; beyond it, it would run at once. */
const longest = 2 ** 31 - 1;

export const waitingClock: Clock = {
  now: () => Date.now(),
  timer(ms, run) {
    // A number in a browser, an object elsewhere.
    const handle: unknown = setTimeout(run, Math.min(ms, longest));
    const dispose = (): void => {
      clearTimeout(handle as number);
    };
    return { dispose, [Symbol.dispose]: dispose };
  },
};
