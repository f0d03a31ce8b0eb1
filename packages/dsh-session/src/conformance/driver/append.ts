/** What a driver writes, how it answers, and what a try again replaces. */
import assert from 'node:assert/strict';
import type { StoredEvent } from '../../driver.ts';
import {
  event,
  events,
  headerOf,
  jsonOf,
  kiwi,
  part,
  plum,
  readJson,
  stored,
  storedFree,
  write,
} from '../fixtures.ts';
import type { Group } from '../medium.ts';

/** Data that a careless encoding would change. */
const awkward = ['', 'a\nb', '\u2028\u2029', '\ud800', '\0', '"\\', 'ü😀', 'x'.repeat(70_000)];

export const appendGroups: readonly Group[] = [
  {
    name: 'append',
    cases: {
      'what was answered is there for the next process, byte for byte [S12] [S14]': async (medium) => {
        const driver = await medium.driver();
        const own = awkward.map((text, seq) => event(seq, text));
        const place = await driver.take(plum, 'create', {});
        await write(driver, part(place, 0, own.slice(0, 3), headerOf(plum)));
        await write(driver, part(place, 3, own.slice(3)));
        const again = await medium.reopen();
        assert.deepEqual(await readJson(again, plum), jsonOf(own));
        assert.equal((await again.take(plum, 'open', {})).length, own.length);
      },
      'one batch writes many Sessions, and answers for each in order [S11]': async (medium) => {
        const driver = await medium.driver();
        const [one, two] = [await driver.take(plum, 'create', {}), await driver.take(kiwi, 'create', {})];
        const parts = [
          part(two, 0, events(0, 2), headerOf(kiwi)),
          part(one, 0, events(0, 3), headerOf(plum)),
        ];
        assert.deepEqual(await driver.append(parts), [{ ok: true }, { ok: true }]);
        assert.equal((await driver.head(plum, {})).length, 3);
        assert.equal((await driver.head(kiwi, {})).length, 2);
      },
      'a batch at an earlier base replaces what a failed try left behind [S12]': async (medium) => {
        const driver = await medium.driver();
        const place = await stored(driver, plum, 2);
        // The front was told that these failed, though they arrived.
        await write(driver, part(place, 2, [event(2, 'stale'), event(3, 'stale'), event(4, 'stale')]));
        const fresh: readonly StoredEvent[] = [event(2, 'fresh'), event(3, 'fresh')];
        await write(driver, part(place, 2, fresh));
        const whole = jsonOf([...events(0, 2), ...fresh]);
        assert.deepEqual(await readJson(driver, plum), whole);
        assert.deepEqual(await readJson(await medium.reopen(), plum), whole);
      },
      'the first batch may be tried again, header and all [S12]': async (medium) => {
        const driver = await medium.driver();
        const place = await driver.take(plum, 'create', {});
        await write(driver, part(place, 0, [event(0, 'stale')], headerOf(plum)));
        await write(driver, part(place, 0, events(0, 2), headerOf(plum)));
        assert.deepEqual(await readJson(await medium.reopen(), plum), jsonOf(events(0, 2)));
      },
      'goes on where the last process ended [S14]': async (medium) => {
        await stored(await medium.driver(), plum, 2);
        for (const length of [2, 3, 4]) {
          const driver = await medium.reopen();
          const place = await driver.take(plum, 'open', {});
          assert.equal(place.length, length);
          await write(driver, part(place, length, events(length, length + 1)));
        }
        assert.deepEqual(await readJson(await medium.reopen(), plum), jsonOf(events(0, 5)));
      },
      'many small batches are one log [S12]': async (medium) => {
        const driver = await medium.driver();
        const place = await stored(driver, plum, 0);
        for (let seq = 0; seq < 300; seq += 1) await write(driver, part(place, seq, events(seq, seq + 1)));
        await driver.release(place);
        assert.deepEqual(await readJson(driver, plum), jsonOf(events(0, 300)));
      },
      'one refused part leaves the others alone [S21]': async (medium) => {
        const driver = await medium.driver();
        const late = await stored(driver, plum, 1);
        await driver.release(late);
        const place = await stored(driver, kiwi, 1);
        const [one, two] = await driver.append([part(late, 1, events(1, 2)), part(place, 1, events(1, 2))]);
        assert.equal(one?.ok, false);
        assert.deepEqual(two, { ok: true });
        assert.equal((await driver.head(kiwi, {})).length, 2);
        assert.equal((await driver.head(plum, {})).length, 1);
      },
      'a place that was given back cannot be written with [S21]': async (medium) => {
        const driver = await medium.driver();
        const place = await stored(driver, plum, 1);
        await driver.release(place);
        const [result] = await driver.append([part(place, 1, events(1, 2))]);
        assert.equal(result?.ok, false);
        await storedFree(driver, kiwi, 1);
        assert.equal((await driver.head(plum, {})).length, 1);
      },
    },
  },
];
