import { deferred, memo, settleAll } from '@dsh-internal/async';
import { describe, expect, it } from 'vitest';

describe('deferred', () => {
  it('is settled from outside, once', async () => {
    const [yes, no] = [deferred<number>(), deferred()];
    yes.resolve(1);
    yes.resolve(2);
    no.reject('broken');
    expect(await yes.promise).toBe(1);
    await expect(no.promise).rejects.toBe('broken');
  });
});

describe('memo', () => {
  it('runs its work once, and gives everybody that run', async () => {
    let runs = 0;
    const once = memo(async () => {
      runs += 1;
      return runs;
    });
    expect(runs).toBe(0);
    expect(await Promise.all([once(), once()])).toEqual([1, 1]);
    expect(once()).toBe(once());
  });

  it('gives the run under way also to a call from inside it', async () => {
    let inner: Promise<string> | undefined;
    const once: () => Promise<string> = memo(async () => {
      inner = once();
      return 'done';
    });
    const outer = once();
    expect(inner).toBe(outer);
    expect(await outer).toBe('done');
  });

  it('remembers a failure, thrown or rejected', async () => {
    let runs = 0;
    const thrown = memo((): Promise<never> => {
      runs += 1;
      throw new Error('broken');
    });
    await expect(thrown()).rejects.toThrow('broken');
    await expect(thrown()).rejects.toThrow('broken');
    expect(runs).toBe(1);
    await expect(memo(() => Promise.reject(new Error('too')))()).rejects.toThrow('too');
  });
});

describe('settleAll', () => {
  it('waits for every task and gives the reasons of those that failed, in the order of the tasks', async () => {
    const slow = deferred();
    let settled = false;
    const all = settleAll([slow.promise, Promise.resolve(1), Promise.reject(new Error('second'))]);
    const watching = all.then(() => {
      settled = true;
    });
    for (let step = 0; step < 20; step += 1) await Promise.resolve();
    expect(settled).toBe(false);
    slow.reject(new Error('first'));
    await watching;
    expect((await all).map(String)).toEqual(['Error: first', 'Error: second']);
    expect(await settleAll([])).toEqual([]);
  });
});
