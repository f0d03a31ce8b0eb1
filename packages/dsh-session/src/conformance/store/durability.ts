/** What a flush, a close and the end of a store promise, over any medium. */
import assert from 'node:assert/strict';
import { plum, rejects } from '../fixtures.ts';
import { insist, listedIds, settle, storedEvents, turn, type StoreGroup } from './tools.ts';

export const durabilityGroups: readonly StoreGroup[] = [
  {
    name: 'durability',
    cases: {
      'what a flush covered is there after a crash, equal to memory [S11] [S12]': async (
        medium,
        { store, restart },
      ) => {
        const first = await store(medium);
        const session = await first.create({ id: plum, meta: { a: 1 } });
        for (let count = 0; count < 5; count += 1) {
          turn(session, `turn ${count}`);
          if (count % 2 === 0) await settle(first, session);
        }
        await settle(first, session);
        const second = await restart(medium);
        assert.deepEqual(await storedEvents(second, plum), session.events());
        const reopened = await insist(() => second.open(plum));
        await reopened.ready();
        assert.deepEqual(reopened.header, session.header);
        assert.deepEqual(reopened.history(), session.history());
      },
      'what follows a flushed part after a crash is a prefix of what was appended [S14]': async (
        medium,
        { store, restart },
      ) => {
        const first = await store(medium);
        const session = await first.create({ id: plum });
        turn(session, 'one');
        await settle(first, session);
        const { durableLength } = session;
        turn(session, 'two');
        const second = await restart(medium);
        const events = await storedEvents(second, plum);
        assert.ok(events.length >= durableLength);
        assert.deepEqual(events, session.events().slice(0, events.length));
      },
      'many Sessions that are written at once keep their own events in order [S11] [S12]': async (
        medium,
        { store, restart },
      ) => {
        const first = await store(medium);
        const sessions = await Promise.all(Array.from({ length: 8 }, () => first.create()));
        for (let round = 0; round < 6; round += 1) {
          for (const [index, session] of sessions.entries())
            if ((index + round) % 3 !== 0) turn(session, `${round}`);
          await Promise.allSettled(sessions.map((session) => first.flush(session)));
        }
        for (const session of sessions) await settle(first, session);
        const second = await restart(medium);
        for (const session of sessions)
          assert.deepEqual(await storedEvents(second, session.id), session.events());
      },
      'a close gives the place back, and the next process goes on [S11] [S20]': async (medium, { store }) => {
        const [one, two] = [await store(medium), await store(medium)];
        const session = await one.create({ id: plum });
        turn(session, 'one');
        await settle(one, session);
        await rejects(two.open(plum), 'SESSION_LOCKED');
        await one.close(session);
        assert.throws(() => {
          turn(session, 'late');
        });
        const reopened = await insist(() => two.open(plum));
        await reopened.ready();
        turn(reopened, 'two');
        await settle(two, reopened);
        assert.deepEqual(await storedEvents(two, plum), reopened.events());
        assert.equal(reopened.turns, 2);
      },
      'a provisional Session leaves nothing until it is committed [S4]': async (
        medium,
        { store, restart },
      ) => {
        const first = await store(medium);
        const dropped = await first.create({ id: plum, provisional: true });
        turn(dropped, 'never');
        first.discard(dropped);
        const kept = await first.create({ id: plum, provisional: true });
        turn(kept, 'kept');
        assert.deepEqual(await listedIds(first), []);
        first.commit(kept);
        await settle(first, kept);
        assert.deepEqual(await storedEvents(await restart(medium), plum), kept.events());
      },
      'the end of the store closes every Session [S30]': async (medium, { store }) => {
        const first = await store(medium);
        const sessions = [await first.create(), await first.create()];
        for (const session of sessions) turn(session, 'one');
        for (const session of sessions) await settle(first, session);
        await first[Symbol.asyncDispose]();
        await rejects(first.create(), 'STORE_CLOSED');
        const second = await store(medium);
        for (const session of sessions) {
          assert.equal(session.sealed, true);
          await insist(() => second.open(session.id));
        }
      },
    },
  },
];
