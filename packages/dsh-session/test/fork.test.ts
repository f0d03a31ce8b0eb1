import type { Session } from '@deepseek-ai/dsh-session';
import { describe, expect, it } from 'vitest';
import { written } from './counted.ts';
import {
  all,
  assistant,
  bench,
  codeOf,
  heldDriver,
  kiwi,
  over,
  plum,
  quiet,
  turn,
  user,
} from './fixtures.ts';

describe('fork', () => {
  it('by default goes through the last turn/end, and its own events continue the numbering [S22]', async () => {
    const { store } = await bench();
    const source = await store.create();
    turn(source, 'one');
    turn(source, 'two');
    source.append('turn/start', { turn: 2 });
    source.append('user/message', user('three'));
    const fork = await store.fork(source.id);
    expect(fork.length).toBe(6);
    expect(fork.turns).toBe(2);
    expect(fork.header).toMatchObject({ forkedFrom: { session: source.id, length: 6 }, seedLength: 6 });
    expect(fork.append('turn/start', { turn: 2 }).seq).toBe(6);
    expect(fork.history()).toHaveLength(2);
  });

  it('of a Session without a whole turn starts empty [S22]', async () => {
    const { store } = await bench();
    const source = await store.create();
    source.append('turn/start', { turn: 0 });
    const fork = await store.fork(source.id);
    expect([fork.length, fork.turns, fork.header.seedLength]).toEqual([0, 0, 0]);
  });

  it('is refused where the prefix ends in a turn, and outside of the log [S22]', async () => {
    const { store } = await bench();
    const source = await store.create({ id: plum });
    turn(source);
    turn(source);
    for (const length of [1, 2, 4, 5])
      expect(await codeOf(() => store.fork(plum, { length }))).toBe('OPEN_TURN');
    for (const length of [-1, 7, 0.5, Number.NaN])
      expect(await codeOf(() => store.fork(plum, { length }))).toBe('INVALID_PREFIX');
    await expect(store.fork(plum, { length: 7 })).rejects.toThrow(
      'session plum not forked: it has 6 events, not 7',
    );
    expect(await codeOf(() => store.fork(plum, { id: plum }))).toBe('INVALID_PREFIX');
    expect(await codeOf(() => store.fork(kiwi))).toBe('SESSION_NOT_FOUND');
    for (const length of [0, 3, 6]) expect((await store.fork(plum, { length })).length).toBe(length);
  });

  it('copies cwd, depth and meta unless given, a parent only if given [S22]', async () => {
    const { store } = await bench();
    const root = await store.create();
    const source = await store.create({
      parentSession: root.id,
      cwd: '/a',
      delegationDepth: 1,
      meta: { tag: 'a' },
      origin: 'subagent',
    });
    turn(source);
    const plain = (await store.fork(source.id)).header;
    expect(plain).toMatchObject({ cwd: '/a', delegationDepth: 1, meta: { tag: 'a' } });
    for (const name of ['parentSession', 'rootSession', 'origin']) expect(plain).not.toHaveProperty(name);
    const given = (
      await store.fork(source.id, { cwd: '/b', delegationDepth: 0, meta: {}, parentSession: source.id })
    ).header;
    expect(given).toMatchObject({
      cwd: '/b',
      delegationDepth: 0,
      meta: {},
      parentSession: source.id,
      rootSession: root.id,
    });
    const seeded = (await store.create({ seed: { session: source.id, length: 3 } })).header;
    expect(seeded).not.toHaveProperty('cwd');
    expect(seeded).toMatchObject({ seedLength: 3 });
  });

  it('makes the source durable up to the length first [S23]', async () => {
    const order: string[] = [];
    const { store } = await bench({
      wrap: (driver) =>
        over(driver, {
          append: (parts) => {
            order.push(`append ${parts.map(({ place }) => place.id).join()}`);
            return driver.append(parts);
          },
          take: (id, intent, options) => {
            order.push(`take ${id}`);
            return driver.take(id, intent, options);
          },
        }),
    });
    const source = await store.create({ id: plum });
    turn(source);
    await store.fork(plum, { id: kiwi });
    expect(order.slice(0, 3)).toEqual(['take plum', 'append plum', 'take kiwi']);
  });

  it('fails where the source cannot be made durable, and takes no place [S23]', async () => {
    const { store } = await bench({
      wrap: (driver) => over(driver, { append: () => Promise.reject(new Error('EIO')) }),
    });
    turn(await store.create({ id: plum }));
    expect(await codeOf(() => store.fork(plum, { id: kiwi }))).toBe('NOT_DURABLE');
    await store.create({ id: kiwi });
  });

  it('shares the events in memory, and neither sees what the other appends [S23]', async () => {
    const { store } = await bench();
    const source = await store.create();
    for (let count = 0; count < 500; count += 1) turn(source, `${count}`);
    const fork = await store.fork(source.id);
    expect(fork.events()[0]).toBe(source.events()[0]);
    expect(fork.events()[1499]).toBe(source.events()[1499]);
    turn(source, 'source');
    turn(fork, 'fork');
    expect([source.length, fork.length]).toEqual([1503, 1503]);
    expect(fork.events(1500)[1]).toMatchObject({ data: { content: [{ text: 'fork' }] } });
    expect(source.events(1500)[1]).toMatchObject({ data: { content: [{ text: 'source' }] } });
  });

  it('stays whole when its source is deleted, also a fork of a fork [S23]', async () => {
    const { store, medium } = await bench();
    const source = await store.create({ id: plum });
    turn(source, 'one');
    const middle = await store.fork(plum, { id: kiwi });
    turn(middle, 'two');
    const last = await store.fork(kiwi);
    turn(last, 'three');
    const { history, id } = { history: last.history(), id: last.id };
    await store[Symbol.asyncDispose]();
    const next = await bench({ medium });
    await next.store.delete(plum);
    await next.store.delete(kiwi);
    const reopened = await next.store.open(id);
    await reopened.ready();
    expect(reopened.history()).toEqual(history);
  });

  it('of a stored Session works without opening it, also when another process writes it [S24]', async () => {
    const { store, medium } = await bench();
    const source = await store.create({ id: plum });
    turn(source, 'one');
    source.append('turn/start', { turn: 1 });
    await store.flush(source);
    const other = await bench({ medium });
    const fork = await other.store.fork(plum);
    expect(fork.history()).toEqual(source.history());
    expect(other.store.get(plum)).toBeUndefined();
    source.append('turn/end', { turn: 1, reason: { kind: 'completed' } });
  });

  it('of a stored Session is refused in a turn however long it is, and taken right behind it [S22 S24]', async () => {
    const medium = await written(2);
    const { store: first } = await bench({ medium });
    const session = await first.open(plum);
    const before = session.length;
    session.append('turn/start', { turn: 2 });
    for (let step = 0; step < 300; step += 1) session.append('assistant/message', assistant());
    session.append('turn/end', { turn: 2, reason: { kind: 'completed' } });
    const after = session.length;
    turn(session);
    await first.close(session);
    const { store } = await bench({ medium });
    for (const length of [before + 1, before + 100, before + 280, after - 1])
      expect(await codeOf(() => store.fork(plum, { length }))).toBe('OPEN_TURN');
    for (const length of [before, after]) {
      const fork = await store.fork(plum, { length });
      expect([fork.length, fork.turns, fork.turnOpen]).toEqual([length, length === after ? 3 : 2, false]);
    }
  });

  it('is stored though it has no event of its own [S22]', async () => {
    const { store, medium } = await bench();
    const source = await store.create();
    turn(source);
    const fork = await store.fork(source.id, { id: kiwi });
    await store.flush(fork);
    expect((await (await bench({ medium })).store.head(kiwi)).length).toBe(3);
  });

  it('may be provisional: then it leaves nothing before its commit [S4]', async () => {
    const { store } = await bench();
    turn(await store.create({ id: plum }));
    const fork = await store.fork(plum, { id: kiwi, provisional: true });
    await quiet();
    expect((await all(store.list())).map(({ id }) => id)).toEqual([plum]);
    store.discard(fork);
    const again = await store.fork(plum, { id: kiwi, provisional: true });
    store.commit(again);
    await store.flush(again);
    expect((await all(store.list())).map(({ id }) => id)).toEqual([kiwi, plum]);
    expect(await codeOf(() => store.fork(kiwi))).toBe('none');
  });

  it('of a provisional Session is refused: nothing of it may be written', async () => {
    const { store } = await bench();
    const source = await store.create({ id: plum, provisional: true });
    turn(source);
    expect(await codeOf(() => store.fork(plum))).toBe('NOT_DURABLE');
    expect((await store.fork(plum, { length: 0 })).length).toBe(0);
  });

  it('two that would each start with the other are both refused; neither waits for ever [S3]', async () => {
    const { store } = await bench();
    const forks = [() => store.fork(plum, { id: kiwi }), () => store.fork(kiwi, { id: plum })];
    expect(await Promise.all(forks.map(codeOf))).toEqual(['SESSION_NOT_FOUND', 'SESSION_NOT_FOUND']);
  });

  it('a caller who leaves gets the reason, and no place stays taken', async () => {
    const waiting: ReturnType<typeof heldDriver>['appends'][] = [];
    const { store } = await bench({
      wrap(driver) {
        const held = heldDriver(driver);
        waiting.push(held.appends);
        return held.driver;
      },
    });
    const source: Session = await store.create({ id: plum });
    turn(source);
    const controller = new AbortController();
    const fork = store.fork(plum, { id: kiwi, signal: controller.signal });
    const reason = new Error('gone');
    await quiet();
    controller.abort(reason);
    await expect(fork).rejects.toBe(reason);
    await waiting[0]?.[0]?.pass();
    expect(source.durableLength).toBe(3);
    await store.create({ id: kiwi });
  });
});
