import { afterEach, beforeEach, expect, test } from 'vitest';
import { entries, headerText, id, plum, stored } from '@dsh-internal/driver-testing';
import type { BatchPart } from '@deepseek-ai/dsh-session';
import { openStage, type Stage } from './support/stage.ts';

let stage: Stage;
beforeEach(async () => {
  stage = await openStage();
});
afterEach(() => stage.dispose());

test('of ten thousand Sessions, the children of one are found by their index [S18]', async () => {
  const driver = stage.driver();
  const parts: BatchPart[] = [];
  for (let index = 0; index < 10_000; index += 1) {
    const child = id(`child-${String(index).padStart(5, '0')}`);
    const place = await driver.take(child, 'create', {});
    const header = headerText(child, { parentSession: `parent-${index % 1000}` });
    parts.push({ place, base: 0, events: [], header });
  }
  expect((await driver.append(parts)).every(({ ok }) => ok)).toBe(true);
  const children = await entries(driver, { parent: id('parent-7') });
  expect(children.map((entry) => entry.id)).toEqual(
    Array.from({ length: 10 }, (_, index) => `child-${String(index * 1000 + 7).padStart(5, '0')}`),
  );
  expect(await entries(driver)).toHaveLength(10_000);
  const after = children[4]!.cursor;
  expect(await entries(driver, { parent: id('parent-7'), after })).toEqual(children.slice(5));
  const plan = stage.raw((db) =>
    db
      .prepare(
        'EXPLAIN QUERY PLAN SELECT id, header, crc, own, log, taken_over FROM session WHERE parent = ? AND id > ? ORDER BY id LIMIT ?',
      )
      .all('parent-7', '', 9),
  );
  expect(plan).toEqual([
    expect.objectContaining({
      detail: 'SEARCH session USING INDEX session_by_parent (parent=? AND id>?)',
    }),
  ]);
}, 60_000);

test('a header of another version is listed as it is, and can be deleted [S2] [S18] [S19]', async () => {
  const driver = stage.driver();
  const place = await stored(driver, plum, 1, { version: 9, strange: true });
  await driver.release(place);
  expect(await entries(driver)).toEqual([
    { kind: 'stored', id: plum, header: headerText(plum, { version: 9, strange: true }), cursor: plum },
  ]);
  await driver.delete(plum, {});
  expect(await entries(driver)).toEqual([]);
});

test('a listing goes on while Sessions come and go, each page as it is then [S18]', async () => {
  const driver = stage.driver();
  for (let index = 0; index < 300; index += 1)
    await driver.release(await stored(driver, id(`plum-${String(index).padStart(3, '0')}`), 0));
  const seen: string[] = [];
  for await (const entry of driver.list({})) {
    if (seen.length === 0) {
      await driver.delete(id('plum-299'), {});
      await stored(driver, id('plum-298x'), 0);
    }
    seen.push(entry.id);
  }
  expect(seen.slice(-2)).toEqual(['plum-298', 'plum-298x']);
  expect(seen).toHaveLength(300);
});
