/** Records and headers that cannot be read, and their repair. */
import assert from 'node:assert/strict';
import type { StoredEvent, StoredRecord } from '../../driver.ts';
import {
  event,
  events,
  forked,
  jsonOf,
  kiwi,
  listAll,
  part,
  plum,
  readAll,
  readJson,
  storedFree,
  write,
} from '../fixtures.ts';
import type { Group } from '../medium.ts';

const substitute = (seq: number): StoredEvent => event(seq, 'substitute');
const isDamaged = (record: StoredRecord): boolean => record.kind === 'damaged';

export const damageGroups: readonly Group[] = [
  {
    name: 'damage',
    cases: {
      'an incomplete last record is no record: the ones before it stay, the next one is whole [S15]': async (
        medium,
      ) => {
        if (medium.damage === undefined) return;
        await storedFree(await medium.driver(), plum, 3);
        await medium.damage(plum, 'torn-tail');
        const driver = await medium.reopen();
        assert.deepEqual(await readJson(driver, plum), jsonOf(events(0, 2)));
        assert.equal((await readAll(driver, plum)).filter(isDamaged).length, 0);
        const place = await driver.take(plum, 'open', {});
        assert.equal(place.length, 2);
        await write(driver, part(place, 2, [event(2, 'next')]));
        assert.deepEqual(
          await readJson(await medium.reopen(), plum),
          jsonOf([...events(0, 2), event(2, 'next')]),
        );
      },
      'a changed byte hides one record and no other [S16]': async (medium) => {
        if (medium.damage === undefined) return;
        await storedFree(await medium.driver(), plum, 5);
        await medium.damage(plum, 'flipped-byte', 2);
        const driver = await medium.reopen();
        const records = await readAll(driver, plum);
        assert.equal(records.filter(isDamaged).length, 1);
        assert.equal(records.findIndex(isDamaged), 2);
        assert.deepEqual(await readJson(driver, plum), jsonOf([...events(0, 2), ...events(3, 5)]));
      },
      'a repair keeps what is whole, fills what is not, and the log goes on [S16]': async (medium) => {
        if (medium.damage === undefined) return;
        await storedFree(await medium.driver(), plum, 5);
        await medium.damage(plum, 'flipped-byte', 1);
        await medium.damage(plum, 'flipped-byte', 3);
        const driver = await medium.reopen();
        const place = await driver.take(plum, 'open', {});
        await driver.repair(place, { substitute });
        await write(driver, part(place, 5, events(5, 6)));
        const whole = [event(0), substitute(1), event(2), substitute(3), event(4), event(5)];
        assert.deepEqual(await readAll(await medium.reopen(), plum), whole);
      },
      'a repair changes no byte that a fork shares [S16] [S23]': async (medium) => {
        if (medium.damage === undefined) return;
        const first = await medium.driver();
        await storedFree(first, plum, 4);
        await first.release(await forked(first, kiwi, plum, 2, 1));
        await medium.damage(plum, 'flipped-byte', 3);
        const driver = await medium.reopen();
        await driver.repair(await driver.take(plum, 'open', {}), { substitute });
        assert.deepEqual(await readJson(await medium.reopen(), kiwi), jsonOf(events(0, 3)));
      },
      'a header that is none does not keep the records from being read [S16 S18]': async (medium) => {
        if (medium.damage === undefined) return;
        await storedFree(await medium.driver(), plum, 3);
        await medium.damage(plum, 'garbage-header');
        assert.deepEqual(await readJson(await medium.reopen(), plum), jsonOf(events(0, 3)));
      },
      'a header that is none hides no other Session, and can be deleted [S18] [S19]': async (medium) => {
        if (medium.damage === undefined) return;
        const first = await medium.driver();
        await storedFree(first, plum, 1);
        await storedFree(first, kiwi, 1);
        await medium.damage(plum, 'garbage-header');
        const driver = await medium.reopen();
        const entries = await listAll(driver);
        assert.equal(entries.length, 2);
        assert.ok(entries.some(({ id, kind }) => id === kiwi && kind === 'stored'));
        const broken = entries.find(({ id }) => id !== kiwi);
        assert.ok(broken);
        await driver.delete(broken.id, {});
        assert.deepEqual(
          (await listAll(driver)).map(({ id }) => id),
          [kiwi],
        );
      },
    },
  },
];
