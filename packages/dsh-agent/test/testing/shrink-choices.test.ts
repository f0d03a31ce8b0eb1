import { describe, expect, it } from 'vitest';
import { seededScheduler, shrinkChoices, type SeededSchedulerOptions } from '@deepseek-ai/dsh-agent/testing';

/** A lost update: the second strand comes late enough in the simplest schedule, and not in every one. */
async function lost(options: SeededSchedulerOptions) {
  const scheduler = seededScheduler(options);
  let value = 0;
  const add = async (delay: number) => {
    for (let step = 0; step < delay; step++) await scheduler.task('noise');
    await scheduler.task('read');
    const seen = value;
    await scheduler.task('work');
    value = seen + 1;
    for (let step = delay; step < 10; step++) await scheduler.task('noise');
  };
  await Promise.all([add(0), add(6), scheduler.run()]);
  return { failed: value !== 2, choices: scheduler.choices };
}

async function failingChoices(): Promise<readonly number[]> {
  for (let seed = 0; ; seed++) {
    const { failed, choices } = await lost({ seed, strategy: 'uniform' });
    if (failed) return choices;
  }
}

describe('shrinkChoices', () => {
  it('makes a failing schedule small, and what it gives still fails', async () => {
    const choices = await failingChoices();
    expect(await lost({ choices: [] })).toMatchObject({ failed: false });
    const shrunk = await shrinkChoices(choices, async (simpler) => (await lost({ choices: simpler })).failed);
    expect(shrunk.choices.length).toBeLessThan(choices.length / 2);
    expect(await lost({ choices: shrunk.choices })).toMatchObject({ failed: true });
  });

  it.each([
    { what: 'one needed choice', fails: (c: readonly number[]) => c.includes(5), expected: [5] },
    {
      what: 'two in their order',
      fails: (c: readonly number[]) => c.indexOf(3) < c.lastIndexOf(4) && c.includes(3),
      expected: [3, 4],
    },
    {
      what: 'a large enough one',
      fails: (c: readonly number[]) => c.some((choice) => choice >= 2),
      expected: [2],
    },
    { what: 'a place', fails: (c: readonly number[]) => (c[2] ?? 0) > 0, expected: [0, 0, 1] },
  ])('comes down to $what', async ({ fails, expected }) => {
    const given = [1, 7, 3, 5, 0, 4, 2, 4, 0, 0];
    expect(await shrinkChoices(given, fails)).toMatchObject({ choices: expected });
  });

  it('keeps what it was given where nothing simpler fails, but for zeros at the end', async () => {
    const given = [2, 1, 0];
    expect((await shrinkChoices(given, (choices) => choices.join() === '2,1')).choices).toEqual([2, 1]);
  });

  it('has nothing to do for a schedule that fails without any choice', async () => {
    expect(await shrinkChoices([0, 0], () => true)).toEqual({ choices: [], runs: 0 });
  });

  it('runs no more schedules than it may', async () => {
    let runs = 0;
    const given = Array.from({ length: 100 }, () => 3);
    const shrunk = await shrinkChoices(given, () => runs++ < 0, { maxRuns: 12 });
    expect([runs, shrunk.runs]).toEqual([12, 12]);
    expect(shrunk.choices).toEqual(given);
  });
});
