import { statSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openSessionStore, type SessionDriver } from '@deepseek-ai/dsh-session';
import { id, plum, stored } from '@dsh-internal/driver-testing';
import { openStage, type Stage } from './support/stage.ts';

let stage: Stage;
beforeEach(async () => {
  stage = await openStage();
});
afterEach(() => stage.dispose());

test('places that are given back at the same time cost one transaction [S20]', async () => {
  const driver = stage.driver();
  const places = [];
  for (let index = 0; index < 100; index += 1)
    places.push(await stored(driver, id(`plum-${String(index)}`), 1));
  const wal = (): number => statSync(`${stage.path}-wal`).size;
  const before = wal();
  await Promise.all(places.map((place) => driver.release(place)));
  // Each transaction adds at least one page of 4 KiB.
  expect((wal() - before) / 4096).toBeLessThan(30);
  expect(stage.raw((db) => db.prepare('SELECT count(*) FROM place').pluck().get())).toBe(0);
});

test('what is appended in one turn of the event loop waits for two barriers at most [S11]', async () => {
  const driver = stage.driver();
  let batches = 0;
  const counting: SessionDriver = {
    ...driver,
    append(parts) {
      batches += 1;
      return driver.append(parts);
    },
  };
  const store = await openSessionStore({ driver: counting });
  const session = await store.create({ id: plum });
  for (let turn = 0; turn < 20; turn += 1) {
    session.append('turn/start', { turn });
    await Promise.resolve();
    session.append('turn/end', { turn, reason: { kind: 'completed' } });
    await Promise.resolve();
  }
  await store.flush(session);
  expect(session.durableLength).toBe(40);
  expect(batches).toBeLessThan(3);
});
