import { describe, expect, it } from 'vitest';
import { deferred } from '@dsh-internal/async';
import { bench, over, plum, quiet, turn } from './fixtures.ts';

const left = new Error('the caller has left');

describe('an id whose caller has left', () => {
  it('is created again once the place that was still taken is back [S3 S20]', async () => {
    const taking = deferred();
    const giving = deferred();
    const { store } = await bench({
      wrap: (driver) =>
        over(driver, {
          take: async (...args) => {
            const place = await driver.take(...args);
            await taking.promise;
            return place;
          },
          release: async (...args) => {
            await giving.promise;
            await driver.release(...args);
          },
        }),
    });
    const caller = new AbortController();
    const first = store.create({ id: plum, signal: caller.signal });
    await quiet();
    caller.abort(left);
    await expect(first).rejects.toBe(left);
    const second = store.create({ id: plum });
    taking.resolve();
    await quiet();
    giving.resolve();
    await expect(second).resolves.toMatchObject({ id: plum });
  });

  it('is opened again once the place that it had is back [S20]', async () => {
    const giving = deferred();
    const reading = deferred();
    const { store, medium } = await bench();
    turn(await store.create({ id: plum }));
    await store.close(store.get(plum)!);
    const { store: next } = await bench({
      medium,
      wrap: (driver) =>
        over(driver, {
          async *read(...args) {
            await reading.promise;
            yield* driver.read(...args);
          },
          release: async (...args) => {
            await giving.promise;
            await driver.release(...args);
          },
        }),
    });
    const caller = new AbortController();
    const first = next.open(plum, { signal: caller.signal }).catch((error: unknown) => error);
    await quiet();
    caller.abort(left);
    await quiet();
    const second = next.open(plum);
    reading.resolve();
    giving.resolve();
    await expect(second).resolves.toMatchObject({ id: plum });
    expect(await first).toBe(left);
  });
});
