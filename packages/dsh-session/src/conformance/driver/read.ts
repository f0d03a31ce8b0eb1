/** Reading events and heads, beside a writer too. */
import assert from 'node:assert/strict';
import {
  event,
  events,
  forked,
  headerOf,
  jsonOf,
  kiwi,
  part,
  plum,
  readJson,
  stored,
  write,
} from '../fixtures.ts';
import type { Group } from '../medium.ts';

export const readGroups: readonly Group[] = [
  {
    name: 'read',
    cases: {
      'gives the events from one seq up to another': async (medium) => {
        const driver = await medium.driver();
        await stored(driver, plum, 10);
        for (const [from, to] of [
          [0, 10],
          [0, 0],
          [3, 7],
          [9, 10],
          [10, 10],
          [4, 99],
        ] as const)
          assert.deepEqual(await readJson(driver, plum, from, to), jsonOf(events(from, Math.min(10, to))));
        assert.deepEqual(await readJson(driver, plum, 6), jsonOf(events(6, 10)));
        assert.deepEqual(await readJson(driver, plum, 12), []);
      },
      'the same across the border of an inherited prefix [S23]': async (medium) => {
        const driver = await medium.driver();
        await stored(driver, plum, 6);
        await forked(driver, kiwi, plum, 4, 4);
        for (const [from, to] of [
          [0, 8],
          [2, 6],
          [0, 4],
          [4, 8],
          [3, 4],
          [5, 7],
        ] as const)
          assert.deepEqual(await readJson(driver, kiwi, from, to), jsonOf(events(from, to)));
      },
      'is not blocked by the writer of another process, and does not block it [S20]': async (medium) => {
        const [writer, reader] = [await medium.driver(), await medium.driver()];
        const place = await stored(writer, plum, 700);
        const reading = reader.read(plum, { from: 0 })[Symbol.asyncIterator]();
        const first = await reading.next();
        await write(writer, part(place, 700, events(700, 701)));
        assert.equal(first.done, false);
        await reading.return?.();
        assert.equal((await readJson(reader, plum)).length, 701);
        await write(writer, part(place, 701, events(701, 702)));
      },
      'a reader that stops early leaves nothing open': async (medium) => {
        const driver = await medium.driver();
        await driver.release(await stored(driver, plum, 1000));
        for await (const chunk of driver.read(plum, { from: 0 })) {
          assert.ok(chunk.length > 0);
          break;
        }
        await driver.delete(plum, {});
      },
    },
  },
  {
    name: 'head',
    cases: {
      'gives the header, the length and the first own events [S26]': async (medium) => {
        const driver = await medium.driver();
        await stored(driver, plum, 3);
        assert.deepEqual(await driver.head(plum, {}), {
          header: headerOf(plum),
          length: 3,
          start: events(0, 3),
        });
      },
      'shows nothing of an inherited prefix but its length [S26]': async (medium) => {
        const driver = await medium.driver();
        await stored(driver, plum, 5);
        await forked(driver, kiwi, plum, 5, 2);
        const head = await (await medium.reopen()).head(kiwi, {});
        assert.equal(head.length, 7);
        assert.deepEqual(head.start, events(5, 7));
      },
      'gives at most 64 KiB of events [S26]': async (medium) => {
        const driver = await medium.driver();
        const place = await driver.take(plum, 'create', {});
        const own = Array.from({ length: 100 }, (_, seq) => event(seq, 'x'.repeat(2000)));
        await write(driver, part(place, 0, own, headerOf(plum)));
        const { start, length } = await driver.head(plum, {});
        assert.equal(length, 100);
        assert.ok(start.length > 20 && start.length < 34, `${start.length} events of 2 kB`);
        assert.deepEqual(start, own.slice(0, start.length));
      },
    },
  },
];
