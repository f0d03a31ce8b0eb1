import { memoryDriver, openSessionStore } from '@deepseek-ai/dsh-session';
import { describe, expect, it } from 'vitest';
import { all, bench, codeOf, handClock, kiwi, over, plum, turn } from './fixtures.ts';

describe('the end of a store', () => {
  it('writes, closes and seals every Session, and refuses new work [S30]', async () => {
    const { store, medium } = await bench();
    const sessions = [await store.create({ id: plum }), await store.create({ id: kiwi })];
    for (const session of sessions) turn(session);
    await Promise.all([store[Symbol.asyncDispose](), store[Symbol.asyncDispose]()]);
    for (const session of sessions) expect([session.sealed, session.durableLength]).toEqual([true, 3]);
    for (const work of [
      () => store.create(),
      () => store.open(plum),
      () => store.fork(plum),
      () => store.head(plum),
      () => all(store.read(plum)),
      () => all(store.list()),
      () => store.listPage(),
      () => store.verify(plum),
      () => store.repair(plum),
      () => store.delete(plum),
      () => all(store.export(plum)),
    ])
      expect(await codeOf(work)).toBe('STORE_CLOSED');
    const next = await bench({ medium });
    for (const session of sessions) await next.store.open(session.id);
  });

  it('waits for what is being made, and leaves no place behind [S30]', async () => {
    const { store, medium } = await bench();
    const creating = codeOf(() => store.create({ id: plum }));
    await store[Symbol.asyncDispose]();
    expect(await creating).toBe('STORE_CLOSED');
    await (await bench({ medium })).store.create({ id: plum });
  });

  it('lets closings that are under way end, and closed Sessions be closed again [S30]', async () => {
    const { store } = await bench();
    const session = await store.create({ id: plum });
    turn(session);
    const closing = store.close(session);
    await store[Symbol.asyncDispose]();
    await closing;
    await store.close(session);
    expect(await store.flush(session)).toBe(false);
  });

  it('reports all failures together, after everything was tried [S30]', async () => {
    const clock = handClock();
    const inner = memoryDriver({ clock });
    const store = await openSessionStore({
      clock,
      driver: over(inner, {
        append: () => Promise.reject(new Error('EIO')),
        [Symbol.asyncDispose]: () => Promise.reject(new Error('stuck')),
      }),
    });
    for (const id of [plum, kiwi]) turn(await store.create({ id }));
    const error: unknown = await Promise.resolve(store[Symbol.asyncDispose]()).catch(
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(AggregateError);
    expect((error as AggregateError).errors.map(String)).toEqual([
      'SessionError: session plum closed without its events from 0 to 3',
      'SessionError: session kiwi closed without its events from 0 to 3',
      'Error: stuck',
    ]);
  });
});

describe('a store and what it is given', () => {
  it('refuses a driver of another version of the contract', async () => {
    const driver = over(memoryDriver(), { protocol: { name: 'dsh-session/driver', version: 2 } });
    await expect(openSessionStore({ driver })).rejects.toMatchObject({
      code: 'INCOMPATIBLE',
      message: 'store not opened: expected dsh-session/driver 1, got dsh-session/driver 2',
    });
  });

  it('does not know a Session of another store', async () => {
    const [one, two] = [await bench(), await bench()];
    const session = await one.store.create();
    for (const work of [() => two.store.flush(session), () => two.store.close(session)])
      expect(await codeOf(work)).toBe('SESSION_NOT_FOUND');
  });

  it('goes on when the listener of diagnostics throws', async () => {
    const { store } = await bench({
      onDiagnostic: () => {
        throw new Error('a bad listener');
      },
    });
    const session = await store.create();
    session.subscribe(() => {
      throw new Error('another');
    });
    turn(session);
    expect(session.length).toBe(3);
  });
});
