import { systemClock } from '@deepseek-ai/dsh-session';

/** Run in Chromium against the built package. */
export const cases = {
  'the system clock runs a timer': () =>
    new Promise<void>((resolve) => {
      systemClock.timer(1, resolve);
    }),
};
