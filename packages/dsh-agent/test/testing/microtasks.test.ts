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
    // The types of Node and of a browser disagree about a port's `onmessage`; both have it.
    const hop = macrotaskHop({ MessageChannel } as unknown as Parameters<typeof macrotaskHop>[0]);
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
