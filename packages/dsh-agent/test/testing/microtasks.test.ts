import { describe, expect, it } from 'vitest';
import { drainMicrotasks, macrotaskHop } from '../../src/testing/microtasks.ts';

/** Resolves after `length` microtasks, one after the other. */
async function chain(length: number): Promise<void> {
  for (let link = 0; link < length; link++) await Promise.resolve();
}

describe('drainMicrotasks', () => {
  it('waits for a chain of promises however long it is', async () => {
    let ended = false;
    const work = chain(50_000).then(() => {
      ended = true;
    });
    await drainMicrotasks();
    expect(ended).toBe(true);
    await work;
  });

  it('does the same by a message channel where there is no setImmediate', async () => {
    const hop = macrotaskHop({ MessageChannel });
    let ended = false;
    const work = chain(50_000).then(() => {
      ended = true;
    });
    await hop();
    expect(ended).toBe(true);
    await work;
  });

  it('says so where neither is there', () => {
    expect(() => macrotaskHop({})).toThrow('neither setImmediate nor MessageChannel');
  });
});
