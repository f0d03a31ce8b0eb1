import { describe, expect, it } from 'vitest';
import { all, bench, codeOf, over, plum, quiet, turn, user } from './fixtures.ts';

describe('one writer', () => {
  it('another store over the same medium is refused, and told who holds the place [S20]', async () => {
    const { store, medium } = await bench();
    turn(await store.create({ id: plum }));
    await store.flush(store.get(plum)!);
    const other = await bench({ medium });
    const error: unknown = await other.store.open(plum).catch((reason: unknown) => reason);
    expect(error).toMatchObject({
      code: 'SESSION_LOCKED',
      holder: { pid: 1, host: 'memory', since: 1_700_000_000_000 },
      message: "the writer's place of session plum was not taken: held by process 1 on memory",
    });
    expect(await codeOf(() => store.open(plum))).toBe('SESSION_LIVE');
    expect(await all(other.store.read(plum))).toHaveLength(3);
  });

  it('a dead writer is followed at once, and the log says so [S20]', async () => {
    const { store, medium, driver } = await bench();
    turn(await store.create({ id: plum }));
    await store.flush(store.get(plum)!);
    driver.crash();
    const session = await (await bench({ medium })).store.open(plum);
    expect(session.events(3)).toMatchObject([
      { type: 'session/taken-over', data: { from: { pid: 1, host: 'memory' } } },
    ]);
    expect(session.durableLength).toBe(4);
  });

  it('a writer that slept past its lease is fenced: sealed, told, and never tried again [S21]', async () => {
    const { store, medium, diagnostics, clock } = await bench();
    const session = await store.create({ id: plum });
    turn(session);
    await store.flush(session);
    medium.expire(plum);
    const next = await (await bench({ medium })).store.open(plum);
    turn(next);
    expect(session.lost.aborted).toBe(true);
    expect(await codeOf(() => session.append('user/message', user()))).toBe('FENCED');
    expect(store.get(plum)).toBeUndefined();
    expect(diagnostics).toMatchObject([{ code: 'fenced', sessionId: plum }]);
    clock.advance(60_000);
    await quiet();
    expect(await all(store.read(plum))).toHaveLength(7);
    await store.close(session);
  });

  it('is fenced also where the driver finds out at a write only [S21]', async () => {
    const { store, medium, diagnostics } = await bench({
      wrap: (driver) =>
        over(driver, {
          take: async (...args) => ({ ...(await driver.take(...args)), lost: new AbortController().signal }),
        }),
    });
    const session = await store.create({ id: plum });
    turn(session);
    await store.flush(session);
    medium.expire(plum);
    await (await bench({ medium })).store.open(plum);
    turn(session);
    const flush = await codeOf(() => store.flush(session));
    expect(flush).toBe('FENCED');
    expect(session.durableLength).toBe(3);
    expect(session.lost.aborted && session.sealed).toBe(true);
    expect(diagnostics.map(({ code }) => code)).toEqual(['fenced']);
    expect(await codeOf(() => store.close(session))).toBe('NOT_DURABLE');
  });
});
