/** Opening, by the end of a log too, and forking, over any medium. */
import assert from 'node:assert/strict';
import { newMessageId } from '../../new-id.ts';
import type { Session } from '../../session.ts';
import type { SessionStore } from '../../store.ts';
import { kiwi, plum, rejects } from '../fixtures.ts';
import { insist, listedIds, say, settle, storedEvents, turn, type StoreGroup } from './tools.ts';

export const lifecycleGroups: readonly StoreGroup[] = [
  {
    name: 'opening',
    cases: {
      'closes a turn that a crash left open, once, and durably [S17]': async (medium, { store, restart }) => {
        const first = await store(medium);
        const session = await first.create({ id: plum });
        session.append('turn/start', { turn: 0 });
        say(session, 'go');
        session.append('assistant/message', {
          id: newMessageId(),
          role: 'assistant',
          content: ['a', 'b'].map(
            (callId) => ({ type: 'tool-call', callId, name: 'dig', input: {} }) as const,
          ),
          finish: 'tool-calls',
        });
        session.append('tool/start', { callId: 'a', name: 'dig' });
        await settle(first, session);
        const second = await restart(medium);
        const reopened = await insist(() => second.open(plum));
        assert.equal(reopened.durableLength, reopened.length);
        const types = reopened.events(session.length).map(({ type }) => type);
        assert.deepEqual(types, ['session/taken-over', 'tool/result', 'tool/result', 'turn/end']);
        const third = await restart(medium);
        const again = await insist(() => third.open(plum));
        await Promise.all([reopened.ready(), again.ready()]);
        assert.deepEqual(again.events().filter(({ type }) => type === 'turn/end').length, 1);
        assert.deepEqual(again.history(), reopened.history());
      },
    },
  },
  {
    name: 'opening by the end of the log',
    cases: {
      'gives the same Session as the whole log would, at once and when it is loaded [S27]': async (
        medium,
        { store, restart },
      ) => {
        const first = await store(medium);
        const session = await first.create({ id: plum });
        for (let index = 0; index < 20; index += 1) turn(session, `${index} ${'x'.repeat(2_000)}`);
        await settle(first, session);
        turn(session, 'after what was summed up');
        session.append('turn/start', { turn: 21 });
        await settle(first, session);
        const second = await restart(medium);
        const reopened = await insist(() => second.open(plum));
        assert.deepEqual([reopened.turns, reopened.turnOpen], [22, false]);
        turn(reopened, 'while nothing is loaded');
        await reopened.ready();
        assert.deepEqual(reopened.events().slice(0, session.length), session.events());
        assert.equal(reopened.history().length, 22);
        await settle(second, reopened);
        await second.close(reopened);
        const third = await restart(medium);
        const again = await insist(() => third.open(plum));
        await again.ready();
        assert.deepEqual(again.events(), reopened.events());
      },
      'after a last record that was torn, goes on before it [S15] [S27]': async (
        medium,
        { store, restart },
      ) => {
        if (medium.damage === undefined) return;
        const session = await closedLog(await store(medium));
        await medium.damage(plum, 'torn-tail');
        const second = await restart(medium);
        const reopened = await insist(() => second.open(plum));
        assert.deepEqual([reopened.turns, reopened.turnOpen], [3, false]);
        await reopened.ready();
        assert.deepEqual(reopened.events().slice(0, 8), session.events().slice(0, 8));
      },
      'damage before it is found by ready, and a repair mends it [S16] [S27]': async (
        medium,
        { store, restart },
      ) => {
        if (medium.damage === undefined) return;
        const session = await closedLog(await store(medium));
        await medium.damage(plum, 'flipped-byte', 1);
        const second = await restart(medium);
        if ((await (await medium.driver()).head(plum, {})).summary !== undefined) {
          const reopened = await insist(() => second.open(plum));
          await rejects(reopened.ready(), 'DAMAGED_LOG');
          await second.close(reopened);
        }
        await insist(() => second.repair(plum));
        const mended = await insist(() => second.open(plum));
        await mended.ready();
        assert.deepEqual(mended.events().slice(2, 9), session.events().slice(2));
        assert.equal(mended.turns, 3);
      },
    },
  },
  {
    name: 'forks',
    cases: {
      'of a live Session start with what it has made durable, and live alone [S22] [S23]': async (
        medium,
        { store, restart },
      ) => {
        const first = await store(medium);
        const source = await first.create({ id: plum, cwd: '/x' });
        turn(source, 'one');
        source.append('turn/start', { turn: 1 });
        const fork = await insist(() => first.fork(plum, { id: kiwi }));
        assert.equal(fork.header.seedLength, 3);
        assert.equal(fork.header.cwd, '/x');
        turn(fork, 'two');
        await settle(first, fork);
        const second = await restart(medium);
        await second.delete(plum);
        assert.deepEqual(await listedIds(second), [kiwi]);
        const reopened = await insist(() => second.open(kiwi));
        await reopened.ready();
        assert.deepEqual(reopened.history(), fork.history());
        assert.equal(reopened.turns, 2);
      },
      'of a stored Session are made without opening it [S24]': async (medium, { store, restart }) => {
        const first = await store(medium);
        const source = await first.create({ id: plum });
        turn(source, 'one');
        await settle(first, source);
        await first.close(source);
        const fork = await first.fork(plum, { id: kiwi });
        await settle(first, fork);
        assert.deepEqual(await storedEvents(await restart(medium), kiwi), source.events());
      },
      'are refused inside a turn [S22]': async (medium, { store }) => {
        const first = await store(medium);
        const source = await first.create({ id: plum });
        turn(source, 'one');
        await settle(first, source);
        await rejects(first.fork(plum, { id: kiwi, length: 2 }), 'OPEN_TURN');
        await rejects(first.fork(plum, { id: kiwi, length: 4 }), 'INVALID_PREFIX');
        assert.equal((await first.fork(plum, { id: kiwi, length: 0 })).length, 0);
      },
    },
  },
];

/** Three turns that are longer than what is read of a log at once; nobody holds the place. */
async function closedLog(store: SessionStore): Promise<Session> {
  const session = await store.create({ id: plum });
  for (let index = 0; index < 3; index += 1) turn(session, 'x'.repeat(8_000));
  await settle(store, session);
  await store.close(session);
  return session;
}
