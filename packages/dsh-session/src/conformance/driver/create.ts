/** New Sessions: ids, headers, and places that were never written with. */
import assert from 'node:assert/strict';
import {
  failsWith,
  event,
  headerOf,
  kiwi,
  listAll,
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

/** Ids that a careless mapping would let meet, or leave the store by. */
const odd = [
  '../x',
  'a/b',
  'a\\b',
  'CON',
  'con',
  '.',
  '..',
  'ü',
  'u\u0308',
  'Plum',
  'plum',
  ' plum',
  'plum ',
  '%2e',
  '~',
  'x'.repeat(200),
  'ü'.repeat(200),
];

export const createGroups: readonly Group[] = [
  {
    name: 'create',
    cases: {
      'a taken place shows nothing before the first append [S4]': async (medium) => {
        const driver = await medium.driver();
        const place = await driver.take(plum, 'create', {});
        assert.equal(place.id, plum);
        assert.equal(place.length, 0);
        assert.deepEqual(await listAll(driver), []);
        await rejects(driver.head(plum, {}), 'SESSION_NOT_FOUND');
        await rejects(readJson(driver, plum), 'SESSION_NOT_FOUND');
      },
      'a place that was given back unused leaves nothing, and the id is free [S4]': async (medium) => {
        const driver = await medium.driver();
        await driver.release(await driver.take(plum, 'create', {}));
        assert.deepEqual(await listAll(driver), []);
        await rejects(driver.take(plum, 'open', {}), 'SESSION_NOT_FOUND');
        await driver.take(plum, 'create', {});
      },
      'a place that a crash left unused leaves nothing, and the id is free [S4] [S20]': async (medium) => {
        await (await medium.driver()).take(plum, 'create', {});
        const driver = await medium.reopen();
        assert.deepEqual(await listAll(driver), []);
        await driver.take(plum, 'create', {});
      },
      'refuses an id that is stored [S3]': async (medium) => {
        const driver = await medium.driver();
        await storedFree(driver, plum, 1);
        await rejects(driver.take(plum, 'create', {}), 'SESSION_EXISTS');
        await rejects((await medium.driver()).take(plum, 'create', {}), 'SESSION_EXISTS');
      },
      'of two that create one id at once, exactly one wins [S3]': async (medium) => {
        const [one, two] = [await medium.driver(), await medium.driver()];
        const takings = await Promise.allSettled([
          one.take(plum, 'create', {}),
          two.take(plum, 'create', {}),
        ]);
        const lost = takings.flatMap((taking) =>
          taking.status === 'rejected' ? [taking.reason as unknown] : [],
        );
        assert.equal(lost.length, 1);
        failsWith(lost[0], 'SESSION_EXISTS', 'SESSION_LOCKED');
      },
      'keeps the header as it was written, members that it does not know included [S2]': async (medium) => {
        const driver = await medium.driver();
        const place = await driver.take(plum, 'create', {});
        const header = headerOf(plum, { zzz: { deep: [1, null, 'ü \u2028 "'] }, cwd: '/a b' });
        await write(driver, part(place, 0, [event(0)], header));
        assert.equal((await driver.head(plum, {})).header, header);
        const later = await medium.reopen();
        assert.equal((await later.head(plum, {})).header, header);
        if (later.header === undefined) return;
        assert.equal(await later.header(plum, {}), header);
        await rejects(later.header(kiwi, {}), 'SESSION_NOT_FOUND');
      },
      'a header alone is a Session [S22]': async (medium) => {
        const driver = await medium.driver();
        const place = await driver.take(plum, 'create', {});
        await write(driver, part(place, 0, [], headerOf(plum)));
        assert.deepEqual(await driver.head(plum, {}), { header: headerOf(plum), length: 0, start: [] });
      },
      'gives each id a place of its own [S1]': async (medium) => {
        const driver = await medium.driver();
        for (const text of odd) await stored(driver, sessionId(text), 1, { origin: text });
        const again = await medium.reopen();
        for (const text of odd) {
          const id = sessionId(text);
          assert.equal((await again.head(id, {})).header, headerOf(id, { origin: text }));
        }
        const listed = (await listAll(again)).map(({ id }) => id);
        assert.deepEqual([...listed].sort(), odd.map(sessionId).sort());
      },
      'an id that was never stored is not found': async (medium) => {
        const driver = await medium.driver();
        await storedFree(driver, plum, 1);
        await rejects(driver.take(kiwi, 'open', {}), 'SESSION_NOT_FOUND');
        await rejects(driver.head(kiwi, {}), 'SESSION_NOT_FOUND');
        await rejects(readJson(driver, kiwi), 'SESSION_NOT_FOUND');
        await rejects(driver.delete(kiwi, {}), 'SESSION_NOT_FOUND');
      },
    },
  },
];
