import { describe, expect, it } from 'vitest';
import { virtualClock, type VirtualClock } from '@deepseek-ai/dsh-agent/testing';

/** Timers that write their name and the time at which they ran. */
function logging(clock: VirtualClock) {
  const log: string[] = [];
  const start = clock.now();
  const timer = (name: string, ms: number, then?: () => void) =>
    clock.timer(ms, () => {
      log.push(`${name}@${clock.now() - start}`);
      then?.();
    });
  return { log, timer };
}

describe('virtualClock', () => {
  it('stands still until it is moved', () => {
    const clock = virtualClock(1000);
    clock.advance(250);
    expect(clock.now()).toBe(1250);
    clock.advance(-5);
    expect(clock.now()).toBe(1250);
  });

  it('runs timers in the order of their due time, then of their making, each at its own time', () => {
    const clock = virtualClock();
    const { log, timer } = logging(clock);
    timer('late', 30);
    timer('first', 10);
    timer('second', 10);
    timer('after', 31);
    clock.advance(30);
    expect(log).toEqual(['first@10', 'second@10', 'late@30']);
    expect(clock.pending).toBe(1);
  });

  it('runs a timer that another one made, if it comes due on the way', () => {
    const clock = virtualClock();
    const { log, timer } = logging(clock);
    timer('outer', 10, () => timer('inner', 5));
    clock.advance(20);
    expect(log).toEqual(['outer@10', 'inner@15']);
  });

  it('never runs a timer that was disposed, and disposes twice without harm', () => {
    const clock = virtualClock();
    const { log, timer } = logging(clock);
    const registration = timer('gone', 10);
    registration.dispose();
    registration[Symbol.dispose]();
    clock.advance(20);
    expect(log).toEqual([]);
    expect(clock.pending).toBe(0);
  });

  it('goes to the next timer and runs that one alone', () => {
    const clock = virtualClock();
    const { log, timer } = logging(clock);
    timer('a', 10);
    timer('b', 10);
    expect(clock.advanceToNext()).toBe(true);
    expect(log).toEqual(['a@10']);
    expect(clock.advanceToNext()).toBe(true);
    expect(clock.advanceToNext()).toBe(false);
    expect(log).toEqual(['a@10', 'b@10']);
  });

  it('takes a negative wait for none', () => {
    const clock = virtualClock();
    const { log, timer } = logging(clock);
    timer('now', -5);
    clock.advance(0);
    expect(log).toEqual(['now@0']);
  });
});
