/** Sessions that start with the leading events of another. */
import assert from 'node:assert/strict';
import {
  event,
  events,
  forked,
  jsonOf,
  kiwi,
  part,
  plum,
  readJson,
  rejects,
  sessionId,
  stored,
  storedFree,
  write,
} from '../fixtures.ts';
import type { Group } from '../medium.ts';

const lime = sessionId('lime');

export const forkGroups: readonly Group[] = [
  {
    name: 'fork',
    cases: {
      "starts with the source's events and goes on with its own [S22] [S23]": async (medium) => {
        const driver = await medium.driver();
        await stored(driver, plum, 5);
        const place = await forked(driver, kiwi, plum, 3, 2);
        assert.equal(place.length, 3);
        const again = await medium.reopen();
        assert.deepEqual(await readJson(again, kiwi), jsonOf(events(0, 5)));
        assert.equal((await again.take(kiwi, 'open', {})).length, 5);
      },
      'neither changes the other [S23]': async (medium) => {
        const driver = await medium.driver();
        const source = await stored(driver, plum, 3);
        const fork = await forked(driver, kiwi, plum, 3, 0);
        await write(driver, part(source, 3, [event(3, 'plum')]));
        await write(driver, part(fork, 3, [event(3, 'kiwi')]));
        const again = await medium.reopen();
        assert.deepEqual(await readJson(again, plum, 3), jsonOf([event(3, 'plum')]));
        assert.deepEqual(await readJson(again, kiwi, 3), jsonOf([event(3, 'kiwi')]));
      },
      'stays whole when its source is deleted [S23]': async (medium) => {
        const driver = await medium.driver();
        await storedFree(driver, plum, 4);
        await driver.release(await forked(driver, kiwi, plum, 4, 1));
        await driver.release(await forked(driver, lime, kiwi, 5, 1));
        await driver.delete(plum, {});
        await driver.delete(kiwi, {});
        const again = await medium.reopen();
        assert.deepEqual(await readJson(again, lime), jsonOf(events(0, 6)));
        await again.take(plum, 'create', {});
      },
      'stays whole when its source is deleted before it is written [S23]': async (medium) => {
        const driver = await medium.driver();
        await storedFree(driver, plum, 2);
        const place = await driver.take(kiwi, 'create', { prefix: { session: plum, length: 2 } });
        await driver.delete(plum, {});
        await write(
          driver,
          part(
            place,
            2,
            events(2, 3),
            JSON.stringify({
              version: 1,
              id: kiwi,
              createdAt: 1,
              seedLength: 2,
              forkedFrom: { session: plum, length: 2 },
            }),
          ),
        );
        assert.deepEqual(await readJson(await medium.reopen(), kiwi), jsonOf(events(0, 3)));
      },
      'a fork of a fork shares through both [S23]': async (medium) => {
        const driver = await medium.driver();
        await stored(driver, plum, 3);
        await forked(driver, kiwi, plum, 2, 3);
        await forked(driver, lime, kiwi, 4, 2);
        await forked(driver, sessionId('inner'), kiwi, 1, 1);
        const again = await medium.reopen();
        assert.deepEqual(await readJson(again, lime), jsonOf(events(0, 6)));
        assert.deepEqual(await readJson(again, sessionId('inner')), jsonOf(events(0, 2)));
      },
      'a source that another process writes can be forked [S20] [S24]': async (medium) => {
        const [one, two] = [await medium.driver(), await medium.driver()];
        const source = await stored(one, plum, 3);
        await forked(two, kiwi, plum, 3, 1);
        await write(one, part(source, 3, events(3, 4)));
        assert.deepEqual(await readJson(two, kiwi), jsonOf(events(0, 4)));
      },
      'a prefix that is longer than its source, or of no source, is refused [S22]': async (medium) => {
        const driver = await medium.driver();
        await storedFree(driver, plum, 2);
        await rejects(
          driver.take(kiwi, 'create', { prefix: { session: plum, length: 3 } }),
          'INVALID_PREFIX',
        );
        await rejects(
          driver.take(kiwi, 'create', { prefix: { session: lime, length: 1 } }),
          'SESSION_NOT_FOUND',
        );
        await driver.take(kiwi, 'create', {});
      },
    },
  },
];
