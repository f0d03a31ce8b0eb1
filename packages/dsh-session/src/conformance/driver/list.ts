/** Listing and deleting what is stored. */
import assert from 'node:assert/strict';
import { headerOf, kiwi, listAll, plum, rejects, sessionId, stored, storedFree } from '../fixtures.ts';
import type { Group } from '../medium.ts';

const names = ['fig', 'apple', 'Apple', 'date', 'cherry'].map(sessionId);

export const listGroups: readonly Group[] = [
  {
    name: 'list',
    cases: {
      'is empty at first [S18]': async (medium) => {
        assert.deepEqual(await listAll(await medium.driver()), []);
      },
      'gives every stored Session with its header, in the same order each time [S18]': async (medium) => {
        const driver = await medium.driver();
        for (const id of names) await storedFree(driver, id, 1);
        const first = await listAll(driver);
        assert.deepEqual(first.map(({ id }) => id).sort(), [...names].sort());
        for (const entry of first) assert.equal(entry.kind === 'stored' && entry.header, headerOf(entry.id));
        assert.deepEqual(await listAll(await medium.reopen()), first);
      },
      'goes on after a cursor, also one whose entry is gone [S18]': async (medium) => {
        const driver = await medium.driver();
        for (const id of names) await storedFree(driver, id, 1);
        const all = await listAll(driver);
        for (const [index, { cursor }] of all.entries())
          assert.deepEqual(await listAll(driver, { after: cursor }), all.slice(index + 1));
        const third = all[2];
        assert.ok(third);
        await driver.delete(third.id, {});
        assert.deepEqual(await listAll(driver, { after: third.cursor }), all.slice(3));
      },
      'by parent gives the children of that parent alone [S18]': async (medium) => {
        const driver = await medium.driver();
        await storedFree(driver, plum, 1);
        for (const [index, id] of names.entries())
          await storedFree(driver, id, 1, { parentSession: index % 2 === 0 ? plum : kiwi });
        const children = (await listAll(await medium.reopen(), { parent: plum })).map(({ id }) => id);
        assert.deepEqual([...children].sort(), [names[0], names[2], names[4]].sort());
      },
      'shows a Session that a living process writes [S20]': async (medium) => {
        await stored(await medium.driver(), plum, 1);
        assert.deepEqual(
          (await listAll(await medium.driver())).map(({ id }) => id),
          [plum],
        );
      },
    },
  },
  {
    name: 'delete',
    cases: {
      'removes a Session, and the id is free [S19]': async (medium) => {
        const driver = await medium.driver();
        await storedFree(driver, plum, 2);
        await driver.delete(plum, {});
        assert.deepEqual(await listAll(driver), []);
        await rejects(driver.head(plum, {}), 'SESSION_NOT_FOUND');
        const place = await driver.take(plum, 'create', {});
        assert.equal(place.length, 0);
      },
      'is refused while another process holds the place [S19]': async (medium) => {
        const [one, two] = [await medium.driver(), await medium.driver()];
        await stored(one, plum, 2);
        await rejects(two.delete(plum, {}), 'SESSION_LOCKED');
        assert.equal((await two.head(plum, {})).length, 2);
      },
      'does not wait for a dead holder [S19] [S20]': async (medium) => {
        await stored(await medium.driver(), plum, 2);
        const driver = await medium.reopen();
        await driver.delete(plum, {});
        assert.deepEqual(await listAll(driver), []);
      },
    },
  },
];
