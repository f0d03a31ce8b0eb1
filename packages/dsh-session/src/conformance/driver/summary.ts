/** Summaries that are kept beside a log. */
import assert from 'node:assert/strict';
import { events, forked, headerOf, kiwi, part, plum, stored, storedFree, write } from '../fixtures.ts';
import type { Case, Group, Medium } from '../medium.ts';

/** A driver that keeps none has nothing to show here. */
const keeping =
  (body: Case): Case =>
  async (medium) => {
    const { manifest } = await medium.driver();
    if (manifest.keepsSummary === true) await body(medium);
  };

export const summaryGroups: readonly Group[] = [
  {
    name: 'summaries',
    cases: {
      'that of the last batch that had one is given back, by head and by the next open [S27]': keeping(
        async (medium) => {
          const driver = await medium.driver();
          const place = await driver.take(plum, 'create', {});
          await write(driver, { ...part(place, 0, events(0, 2), headerOf(plum)), summary: '"one"' });
          assert.equal((await driver.head(plum, {})).summary, '"one"');
          await write(driver, { ...part(place, 2, events(2, 3)), summary: '"two"' });
          await write(driver, part(place, 3, events(3, 4)));
          assert.equal((await driver.head(plum, {})).summary, '"two"');
          assert.equal((await takeAgain(medium)).summary, '"two"');
        },
      ),
      'one that comes with the release is kept, and one from before where none comes [S27]': keeping(
        async (medium) => {
          const driver = await medium.driver();
          await driver.release(await stored(driver, plum, 2), { summary: '"left"' });
          assert.equal((await driver.head(plum, {})).summary, '"left"');
          const place = await driver.take(plum, 'open', {});
          assert.equal(place.summary, '"left"');
          await driver.release(place);
          assert.equal((await takeAgain(medium)).summary, '"left"');
          assert.equal((await takeAgain(medium)).summary, '"left"');
        },
      ),
      'where there was none, none is given [S27]': keeping(async (medium) => {
        const driver = await medium.driver();
        await storedFree(driver, plum, 2);
        assert.equal((await driver.head(plum, {})).summary, undefined);
        assert.equal((await driver.take(plum, 'open', {})).summary, undefined);
      }),
      "a fork has its own, and not its source's [S23] [S27]": keeping(async (medium) => {
        const driver = await medium.driver();
        await driver.release(await stored(driver, plum, 2), { summary: '"source"' });
        const place = await forked(driver, kiwi, plum, 2, 1);
        assert.equal(place.summary, undefined);
        assert.equal((await driver.head(kiwi, {})).summary, undefined);
        await driver.release(place, { summary: '"fork"' });
        assert.equal((await driver.head(plum, {})).summary, '"source"');
        assert.equal((await driver.head(kiwi, {})).summary, '"fork"');
      }),
      'goes with its Session, and is not there for the next one of that id [S19] [S27]': keeping(
        async (medium) => {
          const driver = await medium.driver();
          await driver.release(await stored(driver, plum, 2), { summary: '"old"' });
          await driver.delete(plum, {});
          await storedFree(driver, plum, 1);
          assert.equal((await driver.take(plum, 'open', {})).summary, undefined);
        },
      ),
      'a writer that was overtaken does not change what the new one has [S21] [S27]': keeping(
        async (medium) => {
          const [one, two] = [await medium.driver(), await medium.driver()];
          if (!one.manifest.fences) return;
          const late = await stored(one, plum, 2);
          await medium.expire?.(plum);
          const place = await two.take(plum, 'open', {});
          await write(two, { ...part(place, 2, events(2, 3)), summary: '"new"' });
          await one.append([{ ...part(late, 2, events(2, 3)), summary: '"late"' }]);
          await one.release(late, { summary: '"late"' });
          assert.equal((await two.head(plum, {})).summary, '"new"');
          assert.equal((await takeAgain(medium)).summary, '"new"');
        },
      ),
      'a head needs not be read for its start [S26] [S27]': async (medium) => {
        const driver = await medium.driver();
        await storedFree(driver, plum, 3);
        const head = await driver.head(plum, { startBytes: 0 });
        assert.equal(head.length, 3);
        assert.equal(head.header, headerOf(plum));
      },
    },
  },
];

async function takeAgain(medium: Medium): Promise<{ readonly summary?: string }> {
  return (await medium.reopen()).take(plum, 'open', {});
}
