/** What a signal ends, and that nothing has happened then. */
import assert from 'node:assert/strict';
import type { SessionDriver } from '../../driver.ts';
import type { WaitOptions } from '../../session.ts';
import { kiwi, plum, rejects, stored, storedFree } from '../fixtures.ts';
import type { Group, Medium } from '../medium.ts';

const reason = new Error('nobody waits any more');
const aborted = (): WaitOptions => ({ signal: AbortSignal.abort(reason) });

/** Everything that takes a signal. */
const calls: Readonly<Record<string, (driver: SessionDriver) => Promise<unknown>>> = {
  'take for create': (driver) => driver.take(kiwi, 'create', aborted()),
  'take for open': (driver) => driver.take(plum, 'open', aborted()),
  head: (driver) => driver.head(plum, aborted()),
  read: (driver) =>
    driver
      .read(plum, { from: 0, ...aborted() })
      [Symbol.asyncIterator]()
      .next(),
  list: (driver) => driver.list(aborted())[Symbol.asyncIterator]().next(),
  delete: (driver) => driver.delete(plum, aborted()),
};

export const abortGroups: readonly Group[] = [
  {
    name: 'abort',
    cases: {
      ...Object.fromEntries(
        Object.entries(calls).map(([name, call]) => [
          `${name} with an aborted signal rejects with its reason, and nothing has happened`,
          (medium: Medium) => refusesAborted(medium, call),
        ]),
      ),
      'a signal that aborts during a reading ends it': async (medium) => {
        const driver = await medium.driver();
        await stored(driver, plum, 2000);
        const controller = new AbortController();
        const reading = driver.read(plum, { from: 0, signal: controller.signal })[Symbol.asyncIterator]();
        await reading.next();
        controller.abort(reason);
        await assert.rejects(drain(reading), (error) => error === reason);
      },
      'a signal that aborts after the place was taken does not give it back': async (medium) => {
        const [one, two] = [await medium.driver(), await medium.driver()];
        await storedFree(one, plum, 1);
        const controller = new AbortController();
        const place = await one.take(plum, 'open', { signal: controller.signal });
        controller.abort(reason);
        assert.equal(place.lost.aborted, false);
        await rejects(two.take(plum, 'open', {}), 'SESSION_LOCKED');
      },
    },
  },
];

async function refusesAborted(
  medium: Medium,
  call: (driver: SessionDriver) => Promise<unknown>,
): Promise<void> {
  const driver = await medium.driver();
  await storedFree(driver, plum, 2);
  await assert.rejects(call(driver), (error) => error === reason);
  await driver.release(await driver.take(plum, 'open', {}));
  await driver.take(kiwi, 'create', {});
}

async function drain(reading: AsyncIterator<unknown>): Promise<void> {
  while ((await reading.next()).done !== true);
}
