/** The writer's place: one holder, take-overs, and fencing of who was overtaken. */
import assert from 'node:assert/strict';
import type { SessionId } from '../../ids.ts';
import type { SessionDriver, WriterPlace } from '../../driver.ts';
import {
  failsWith,
  event,
  events,
  jsonOf,
  part,
  plum,
  readJson,
  rejects,
  stored,
  storedFree,
  write,
} from '../fixtures.ts';
import type { Group, Medium } from '../medium.ts';

export const placeGroups: readonly Group[] = [
  {
    name: "writer's place",
    cases: {
      'is one per Session: a second asker is told who holds it [S20]': async (medium) => {
        const [one, two] = [await medium.driver(), await medium.driver()];
        await stored(one, plum, 1);
        const error = await rejects(two.take(plum, 'open', {}), 'SESSION_LOCKED');
        assert.equal(typeof error.holder?.pid, 'number');
        assert.equal(typeof error.holder?.host, 'string');
        assert.equal(typeof error.holder?.since, 'number');
        await rejects(one.take(plum, 'open', {}), 'SESSION_LOCKED');
      },
      'is free once it was given back, and each holding has a token of its own [S20]': async (medium) => {
        const [one, two] = [await medium.driver(), await medium.driver()];
        const first = await stored(one, plum, 1);
        await one.release(first);
        const second = await two.take(plum, 'open', {});
        assert.notEqual(second.token, first.token);
        assert.equal(second.takenOver, undefined);
        assert.equal(second.lost.aborted, false);
      },
      'giving back a place that is gone does nothing [S20]': async (medium) => {
        const [one, two] = [await medium.driver(), await medium.driver()];
        const first = await stored(one, plum, 1);
        await one.release(first);
        await one.release(first);
        await two.take(plum, 'open', {});
        await one.release(first);
        await rejects(one.take(plum, 'open', {}), 'SESSION_LOCKED');
      },
      'of two that open one Session at once, exactly one wins [S20]': async (medium) => {
        const [one, two] = [await medium.driver(), await medium.driver()];
        await storedFree(one, plum, 1);
        const takings = await Promise.allSettled([one.take(plum, 'open', {}), two.take(plum, 'open', {})]);
        const lost = takings.flatMap((taking) =>
          taking.status === 'rejected' ? [taking.reason as unknown] : [],
        );
        assert.equal(lost.length, 1);
        failsWith(lost[0], 'SESSION_LOCKED');
      },
      'of a dead process is taken over at once, and the new holder hears whose it was [S20]': async (
        medium,
      ) => {
        await stored(await medium.driver(), plum, 2);
        const place = await (await medium.reopen()).take(plum, 'open', {});
        assert.equal(place.length, 2);
        assert.equal(typeof place.takenOver?.pid, 'number');
      },
      'whose take-over was not written about by its holder is told to the next one, until it is [S20]':
        async (medium) => {
          await stored(await medium.driver(), plum, 2);
          const driver = await medium.reopen();
          const first = await driver.take(plum, 'open', {});
          await driver.release(first);
          const second = await driver.take(plum, 'open', {});
          assert.deepEqual(second.takenOver, first.takenOver);
          await write(driver, part(second, 2, events(2, 3)));
          await driver.release(second);
          assert.equal((await driver.take(plum, 'open', {})).takenOver, undefined);
        },
      'is given back when its driver is disposed [S20]': async (medium) => {
        const one = await medium.driver();
        await stored(one, plum, 1);
        await one[Symbol.asyncDispose]();
        const place = await (await medium.driver()).take(plum, 'open', {});
        assert.equal(place.length, 1);
      },
    },
  },
  {
    name: 'fencing',
    cases: {
      'a writer that was silent past its lease cannot extend the history [S21]': async (medium) => {
        const fenced = await takeOver(medium);
        if (fenced === undefined) return;
        const { one, late, two, place } = fenced;
        const [result] = await one.append([part(late, 2, [event(2, 'late')])]);
        assert.equal(result?.ok === false && result.error.code, 'FENCED');
        await write(two, part(place, 2, [event(2, 'new')]));
        assert.deepEqual(
          await readJson(await medium.reopen(), plum),
          jsonOf([...events(0, 2), event(2, 'new')]),
        );
      },
      'nor when it wakes after the new writer has written [S21]': async (medium) => {
        const fenced = await takeOver(medium);
        if (fenced === undefined) return;
        const { one, late, two, place } = fenced;
        await write(two, part(place, 2, [event(2, 'new')]));
        const [result] = await one.append([part(late, 2, [event(2, 'late'), event(3, 'late')])]);
        assert.equal(result?.ok === false && result.error.code, 'FENCED');
        assert.equal(late.lost.aborted, true);
        await write(two, part(place, 3, [event(3, 'new')]));
        assert.deepEqual(
          await readJson(await medium.reopen(), plum),
          jsonOf([...events(0, 2), event(2, 'new'), event(3, 'new')]),
        );
      },
      'what it gives back late is not the place of the new holder [S21]': async (medium) => {
        const fenced = await takeOver(medium);
        if (fenced === undefined) return;
        const { one, late, two, place } = fenced;
        await one.release(late);
        await rejects(one.take(plum, 'open', {}), 'SESSION_LOCKED');
        await write(two, part(place, 2, events(2, 3)));
      },
    },
  },
];

interface TakenOver {
  readonly one: SessionDriver;
  readonly late: WriterPlace;
  readonly two: SessionDriver;
  readonly place: WriterPlace;
}

/** Two events are stored; the first writer sleeps, its lease runs out, a second one takes the place. */
async function takeOver(medium: Medium): Promise<TakenOver | undefined> {
  const [one, two] = [await medium.driver(), await medium.driver()];
  if (!one.manifest.fences) return undefined;
  const late = await stored(one, plum, 2);
  assert.ok(await expire(medium, plum), 'the manifest says fences, but no lease can run out');
  const place = await two.take(plum, 'open', {});
  assert.equal(place.length, 2);
  assert.ok(place.takenOver);
  return { one, late, two, place };
}

async function expire(medium: Medium, id: SessionId): Promise<boolean> {
  await medium.expire?.(id);
  return medium.expire !== undefined;
}
