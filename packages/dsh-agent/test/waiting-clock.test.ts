import { expect, it } from 'vitest';
import { waitingClock } from '../src/waiting-clock.ts';

const timers = (): number => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;

it('holds the process while somebody waits, and no longer [A15]', () => {
  const before = timers();
  const timer = waitingClock.timer(60_000, () => {});
  expect(timers()).toBe(before + 1);
  timer.dispose();
  expect(timers()).toBe(before);
});

it('does not take a very long wait for none [A15]', async () => {
  let ran = false;
  const timer = waitingClock.timer(2 ** 40, () => {
    ran = true;
  });
  await new Promise((resolve) => setImmediate(resolve));
  timer.dispose();
  expect(ran).toBe(false);
});
