import { describe, expect, it } from 'vitest';
import { bench, codeOf, heldDriver, over, plum, quiet, turn } from './fixtures.ts';

describe('close', () => {
  it('writes what was appended, gives the place back, and is one closing however often asked [S11]', async () => {
    const { store, medium } = await bench();
    const session = await store.create({ id: plum });
    turn(session);
    await Promise.all([store.close(session), store.close(session)]);
    expect(session.durableLength).toBe(3);
    await (await bench({ medium })).store.open(plum);
  });

  it('rejects NOT_DURABLE for what could not be written, and gives the place back even so [S11]', async () => {
    const { store, medium } = await bench({
      wrap: (driver) => over(driver, { append: () => Promise.reject(new Error('EIO')) }),
    });
    const session = await store.create({ id: plum });
    turn(session);
    await expect(store.close(session)).rejects.toThrow('session plum closed without its events from 0 to 3');
    await (await bench({ medium })).store.create({ id: plum });
  });

  it('does not wait longer than its bound for a medium that hangs [S11]', async () => {
    const { store, clock } = await bench({
      closeTimeoutMs: 500,
      wrap: (driver) => over(heldDriver(driver).driver, { release: () => new Promise(() => undefined) }),
    });
    const session = await store.create({ id: plum });
    turn(session);
    const closing = codeOf(() => store.close(session));
    await quiet();
    clock.advance(500);
    await quiet();
    clock.advance(500);
    expect(await closing).toBe('NOT_DURABLE');
    expect(store.get(plum)).toBeUndefined();
  });

  it('an open that comes while it closes waits for it [S11]', async () => {
    const { store } = await bench();
    const session = await store.create({ id: plum });
    turn(session);
    const [, reopened] = await Promise.all([store.close(session), store.open(plum)]);
    await reopened.ready();
    expect(reopened.history()).toEqual(session.history());
    expect(store.get(plum)).toBe(reopened);
  });

  it('what a medium that hung says after that changes nothing [S11] [S13]', async () => {
    const hung: ReturnType<typeof heldDriver>['appends'][] = [];
    const { store, clock } = await bench({
      closeTimeoutMs: 500,
      maxPendingBytes: { store: 60 },
      wrap(driver) {
        const made = heldDriver(driver);
        hung.push(made.appends);
        return made.driver;
      },
    });
    const session = await store.create({ id: plum });
    turn(session);
    const closing = codeOf(() => store.close(session));
    await quiet();
    clock.advance(500);
    expect(await closing).toBe('NOT_DURABLE');
    await hung[0]?.[0]?.pass();
    expect(session.durableLength).toBe(0);
    const other = await store.create();
    expect(other.pressure).toBe(false);
    other.append('turn/start', { turn: 0 });
    expect(other.pressure).toBe(true);
  });

  it('leaves no listener on the signal of its place [S11]', async () => {
    let listeners = 0;
    const lost = {
      aborted: false,
      addEventListener: () => (listeners += 1),
      removeEventListener: () => (listeners -= 1),
    } as unknown as AbortSignal;
    const { store } = await bench({
      wrap: (driver) =>
        over(driver, { take: async (...args) => ({ ...(await driver.take(...args)), lost }) }),
    });
    const session = await store.create();
    expect(listeners).toBe(1);
    await store.close(session);
    expect(listeners).toBe(0);
  });
});
