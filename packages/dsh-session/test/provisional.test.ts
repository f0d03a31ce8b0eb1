import { describe, expect, it } from 'vitest';
import { all, bench, codeOf, kiwi, plum, quiet, turn } from './fixtures.ts';

const ids = async (items: AsyncIterable<{ readonly id: string }>): Promise<readonly string[]> =>
  (await all(items)).map(({ id }) => id);

describe('a provisional Session', () => {
  it('holds its id and takes appends, and leaves nothing when it is discarded [S4]', async () => {
    const { store, medium } = await bench();
    const session = await store.create({ id: plum, provisional: true });
    turn(session);
    await quiet();
    expect(store.get(plum)).toBe(session);
    expect(session.history()).toHaveLength(1);
    const other = await bench({ medium });
    expect(await ids(other.store.list())).toEqual([]);
    expect(await codeOf(() => store.open(plum))).toBe('SESSION_LIVE');
    expect(await codeOf(() => store.flush(session))).toBe('NOT_DURABLE');
    expect(await codeOf(() => store.head(plum))).toBe('SESSION_NOT_FOUND');
    store.discard(session);
    expect(session.sealed).toBe(true);
    expect(await codeOf(() => other.store.open(plum))).toBe('SESSION_NOT_FOUND');
  });

  it('frees its id at once when it is discarded [S4]', async () => {
    const { store } = await bench();
    const session = await store.create({ id: plum, provisional: true });
    store.discard(session);
    store.discard(session);
    expect(store.get(plum)).toBeUndefined();
    const again = await store.create({ id: plum });
    expect(store.get(plum)).toBe(again);
  });

  it('is written from its commit on, which is synchronous [S4]', async () => {
    const { store } = await bench();
    const session = await store.create({ id: plum, provisional: true });
    turn(session);
    store.commit(session);
    store.commit(session);
    await store.flush(session);
    expect(session.durableLength).toBe(3);
    expect(() => {
      store.discard(session);
    }).toThrow(expect.objectContaining({ code: 'SESSION_LIVE' }));
    expect(session.sealed).toBe(false);
  });

  it('leaves nothing when it is closed, when its process dies, and when the store ends [S4]', async () => {
    const { store, medium, driver } = await bench();
    const closed = await store.create({ id: plum, provisional: true });
    turn(closed);
    await store.close(closed);
    expect(() => {
      store.commit(closed);
    }).toThrow(expect.objectContaining({ code: 'SESSION_CLOSED' }));
    turn(await store.create({ id: kiwi, provisional: true }));
    driver.crash();
    const next = await bench({ medium });
    turn(await next.store.create({ id: kiwi, provisional: true }));
    await next.store[Symbol.asyncDispose]();
    expect(await ids((await bench({ medium })).store.list())).toEqual([]);
  });

  it('whose place another process has taken over is discarded without a further word [S4 S21]', async () => {
    const { store, medium, diagnostics } = await bench();
    const session = await store.create({ id: plum, provisional: true });
    turn(session);
    medium.expire(plum);
    await (await bench({ medium })).store.create({ id: plum });
    store.discard(session);
    await quiet();
    expect(diagnostics.map(({ code }) => code)).toEqual(['fenced']);
  });

  it('a Session that never had an event leaves nothing either [S4]', async () => {
    const { store } = await bench();
    const session = await store.create({ id: plum });
    await store.flush(session);
    await store.close(session);
    expect(await codeOf(() => store.open(plum))).toBe('SESSION_NOT_FOUND');
    await store.create({ id: plum });
  });
});
