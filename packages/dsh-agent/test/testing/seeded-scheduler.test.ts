import { describe, expect, it } from 'vitest';
import {
  seededScheduler,
  type ScheduleStrategy,
  type SeededScheduler,
  type SeededSchedulerOptions,
} from '@deepseek-ai/dsh-agent/testing';

/** Four strands of three steps each; what they do is the order in which they do it. */
async function strands(scheduler: SeededScheduler): Promise<readonly string[]> {
  const done: string[] = [];
  const strand = async (name: string) => {
    for (let step = 0; step < 3; step++) {
      await scheduler.task(`${name}${step}`);
      done.push(`${name}${step}`);
    }
  };
  const all = Promise.all(['a', 'b', 'c', 'd'].map(strand));
  await scheduler.run();
  await all;
  return done;
}

describe('seededScheduler', () => {
  it('repeats itself for the same seed, and differs for others', async () => {
    expect(await strands(seededScheduler(7))).toEqual(await strands(seededScheduler(7)));
    const orders = new Set<string>();
    for (let seed = 0; seed < 40; seed++) orders.add((await strands(seededScheduler(seed))).join());
    expect(orders.size).toBe(40);
  });

  it('lets a strand starve under priorities, far more often than by uniform picks', async () => {
    const starved = async (strategy: ScheduleStrategy) => {
      let count = 0;
      for (let seed = 0; seed < 200; seed++) {
        const scheduler = seededScheduler({ seed, strategy });
        const strand = async (name: string) => {
          for (let step = 0; step < 4; step++) await scheduler.task(name);
        };
        await Promise.all([...['a', 'b', 'c'].map(strand), scheduler.run()]);
        if (new Set(scheduler.trace.slice(-4)).size === 1) count++;
      }
      return count;
    };
    expect(await starved('uniform')).toBeLessThan(20);
    expect(await starved('priority')).toBeGreaterThan(60);
    expect(await starved('mixed')).toBeGreaterThan(30);
  });

  it('runs all that a step brings about before the next one is picked', async () => {
    const scheduler = seededScheduler({ choices: [] });
    const log: string[] = [];
    const first = scheduler.task('first').then(async () => {
      for (let link = 0; link < 1000; link++) await Promise.resolve();
      log.push('first');
    });
    const second = scheduler.task('second').then(() => log.push('second'));
    await Promise.all([first, second, scheduler.run()]);
    expect(log).toEqual(['first', 'second']);
  });

  it('repeats a schedule from its choices and from its trace, whatever the seed', async () => {
    const scheduler = seededScheduler(11);
    const done = await strands(scheduler);
    expect(await strands(seededScheduler({ seed: 99, choices: scheduler.choices }))).toEqual(done);
    const replayed = seededScheduler({ seed: 99, trace: scheduler.trace });
    expect(await strands(replayed)).toEqual(done);
    expect(replayed.choices).toEqual(scheduler.choices);
  });

  it('takes the oldest step when the choices are used up', async () => {
    expect(await strands(seededScheduler({ choices: [] }))).toEqual(
      [0, 1, 2].flatMap((step) => ['a', 'b', 'c', 'd'].map((name) => `${name}${step}`)),
    );
  });

  it('takes the oldest step, and 0, when the trace is used up', async () => {
    const scheduler = seededScheduler({ trace: ['c0'] });
    expect((await strands(scheduler)).slice(0, 5)).toEqual(['c0', 'a0', 'b0', 'd0', 'c1']);
    expect(scheduler.choose('fault', 3)).toBe(0);
  });

  it('says where a trace cannot be followed', async () => {
    const scheduler = seededScheduler({ trace: ['a0', 'x'] });
    await expect(strands(scheduler)).rejects.toThrow(
      'another way at step 1: wanted "x", got "b0", "c0", "d0", "a1"',
    );
  });

  it('records choices of the test with the steps, and repeats them', async () => {
    const play = async (scheduler: SeededScheduler) => {
      const chosen = [
        scheduler.choose('fault', 3),
        scheduler.choose('fault', 3),
        scheduler.choose('only', 1),
      ];
      return [...chosen, ...(await strands(scheduler))];
    };
    const first = seededScheduler(3);
    const played = await play(first);
    expect(first.trace.slice(0, 3)).toEqual([`fault=${played[0]}`, `fault=${played[1]}`, 'only=0']);
    expect(await play(seededScheduler({ choices: first.choices }))).toEqual(played);
    expect(await play(seededScheduler({ trace: first.trace }))).toEqual(played);
    expect(() => seededScheduler({ trace: ['fault=9'] }).choose('fault', 3)).toThrow('a choice of "fault"');
  });

  it('gives random numbers by the seed alone', () => {
    const numbers = (options: SeededSchedulerOptions) => {
      const scheduler = seededScheduler(options);
      return [scheduler.random(), scheduler.random()];
    };
    expect(numbers({ seed: 5, choices: [1] })).toEqual(numbers({ seed: 5 }));
    expect(numbers({ seed: 5 })).not.toEqual(numbers({ seed: 6 }));
    for (const number of numbers({ seed: 5 })) expect(number >= 0 && number < 1).toBe(true);
  });

  it('picks an idle step only where no other can be picked, and a step that is not ready never', async () => {
    const scheduler = seededScheduler(1);
    const log: string[] = [];
    let open = false;
    scheduler.post('idle', () => log.push('idle'), { idle: true });
    scheduler.post('gated', () => log.push('gated'), { ready: () => open });
    scheduler.post('plain', () => log.push('plain'));
    expect(await scheduler.run()).toBe('rest');
    expect(log).toEqual(['plain', 'idle']);
    expect(scheduler.pending).toEqual(['gated']);
    open = true;
    expect(await scheduler.step()).toBe(true);
    expect(await scheduler.step()).toBe(false);
    expect(log).toEqual(['plain', 'idle', 'gated']);
  });

  it('forgets a step whose registration was disposed', async () => {
    const scheduler = seededScheduler();
    scheduler.post('gone', () => expect.unreachable()).dispose();
    expect(await scheduler.run()).toBe('rest');
  });

  it('stops where `until` holds, and throws where nothing comes to rest', async () => {
    const scheduler = seededScheduler();
    let steps = 0;
    const again = (): void => {
      steps++;
      scheduler.post('again', again);
    };
    scheduler.post('again', again);
    expect(await scheduler.run({ until: () => steps === 5 })).toBe('until');
    expect(steps).toBe(5);
    await expect(scheduler.run({ maxSteps: 10 })).rejects.toThrow('did not come to rest in 10 steps');
  });

  it('throws what a step throws, and refuses to run twice at once', async () => {
    const scheduler = seededScheduler();
    scheduler.post('bad', () => {
      throw new Error('boom');
    });
    const running = scheduler.run();
    await expect(scheduler.step()).rejects.toThrow('stepping already');
    await expect(running).rejects.toThrow('boom');
    expect(await scheduler.step()).toBe(false);
  });
});
