import { sessionError } from '@deepseek-ai/dsh-session';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { faultyDriver, type Fault } from '../src/conformance/index.ts';
import {
  all,
  bench,
  codeOf,
  heldDriver,
  kiwi,
  over,
  plum,
  quiet,
  turn,
  user,
  type HeldAppend,
} from './fixtures.ts';

/** A store whose appends the test answers. */
async function held() {
  let appends: HeldAppend[] = [];
  const made = await bench({
    wrap(driver) {
      const inner = heldDriver(driver);
      appends = inner.appends;
      return inner.driver;
    },
  });
  return { ...made, appends };
}

const seqs = ({ parts }: HeldAppend): readonly (readonly number[])[] =>
  parts.map(({ events }) => events.map(({ seq }) => seq));

describe('writing behind', () => {
  it('takes what one span appends as one batch, over all Sessions [S11]', async () => {
    const { store, appends } = await held();
    const [one, two] = [await store.create(), await store.create()];
    one.append('user/message', user());
    two.append('user/message', user());
    one.append('user/message', user());
    expect(appends).toHaveLength(0);
    await quiet();
    expect(appends.map(seqs)).toEqual([[[0, 1], [0]]]);
  });

  it('has one batch out at a time, and the next one collects meanwhile [S11]', async () => {
    const { store, appends } = await held();
    const [one, two] = [await store.create(), await store.create()];
    one.append('user/message', user());
    await quiet();
    one.append('user/message', user());
    two.append('user/message', user());
    one.append('user/message', user());
    await quiet();
    expect(appends).toHaveLength(1);
    await appends[0]?.pass();
    expect(one.durableLength).toBe(1);
    expect(appends.map(seqs)).toEqual([[[0]], [[1, 2], [0]]]);
    expect(appends[1]?.parts.map(({ base, header }) => [base, header === undefined])).toEqual([
      [1, true],
      [0, false],
    ]);
  });

  it('a flush joins the barrier under way if that covers it, and waits for the next one if not [S11]', async () => {
    const { store, appends } = await held();
    const session = await store.create();
    session.append('user/message', user());
    await quiet();
    const settled: string[] = [];
    const covered = store.flush(session).then(() => settled.push('covered'));
    session.append('user/message', user());
    const later = store.flush(session).then(() => settled.push('later'));
    await appends[0]?.pass();
    expect(settled).toEqual(['covered']);
    expect(appends).toHaveLength(2);
    await appends[1]?.pass();
    expect(settled).toEqual(['covered', 'later']);
    await Promise.all([covered, later]);
  });

  it('touches no medium when nothing is new, and says false where nothing outlives the process [S11]', async () => {
    const { store, appends } = await held();
    const session = await store.create();
    expect(await store.flush(session)).toBe(false);
    session.append('user/message', user());
    const flush = store.flush(session);
    await quiet();
    await appends[0]?.pass();
    expect(await flush).toBe(false);
    await store.flush(session);
    expect(appends).toHaveLength(1);
  });

  it('says true where the medium outlives the process [S11]', async () => {
    const { store } = await bench({
      wrap: (driver) => over(driver, { manifest: { ...driver.manifest, outlivesProcess: true } }),
    });
    const session = await store.create();
    turn(session);
    expect(await store.flush(session)).toBe(true);
  });

  it('durableLength moves only by what the driver has confirmed [S12]', async () => {
    const { store, appends } = await held();
    const session = await store.create();
    turn(session);
    await quiet();
    expect(session.durableLength).toBe(0);
    appends[0]?.answer([]);
    await quiet();
    expect(session.durableLength).toBe(0);
  });

  it("a signal ends the caller's wait and nothing else [S11]", async () => {
    const { store, appends } = await held();
    const session = await store.create();
    turn(session);
    const controller = new AbortController();
    const flush = store.flush(session, { signal: controller.signal });
    const reason = new Error('gone');
    await quiet();
    controller.abort(reason);
    await expect(flush).rejects.toBe(reason);
    await appends[0]?.pass();
    expect(session.durableLength).toBe(3);
  });
});

describe('a failed write', () => {
  it('rejects who waited, keeps the order, and is reported once; the first success is too [S12]', async () => {
    const { store, appends, diagnostics, clock } = await held();
    const session = await store.create({ id: plum });
    session.append('user/message', user('a'));
    const flush = codeOf(() => store.flush(session));
    await quiet();
    session.append('user/message', user('b'));
    appends[0]?.fail(new Error('ENOSPC'));
    expect(await flush).toBe('NOT_DURABLE');
    expect(session.durableLength).toBe(0);
    expect(diagnostics).toMatchObject([{ code: 'durability-lost', level: 'error', sessionId: plum }]);
    clock.advance(100);
    await quiet();
    expect(appends.slice(1).map(seqs)).toEqual([[[0, 1]]]);
    appends[1]?.fail(new Error('ENOSPC'));
    await quiet();
    clock.advance(200);
    await quiet();
    await appends[2]?.pass();
    expect(session.durableLength).toBe(2);
    expect(diagnostics.map(({ code }) => code)).toEqual(['durability-lost', 'durability-restored']);
    expect(await all(store.read(plum))).toHaveLength(2);
  });

  it('is tried again by a flush at once, by an append only after a pause that grows [S12]', async () => {
    const { store, appends, clock } = await held();
    const session = await store.create();
    turn(session);
    await quiet();
    appends[0]?.fail(new Error('EIO'));
    await quiet();
    session.append('user/message', user());
    await quiet();
    expect(appends).toHaveLength(1);
    const flush = codeOf(() => store.flush(session));
    await quiet();
    expect(appends).toHaveLength(2);
    appends[1]?.fail(new Error('EIO'));
    expect(await flush).toBe('NOT_DURABLE');
    clock.advance(99);
    await quiet();
    expect(appends).toHaveLength(2);
    clock.advance(101);
    await quiet();
    expect(appends).toHaveLength(3);
    await appends[2]?.pass();
    expect(session.durableLength).toBe(4);
    expect(clock.timers).toBe(0);
  });

  it('a flush that came during the failing write gets a try of its own [S12]', async () => {
    const { store, appends } = await held();
    const session = await store.create();
    session.append('user/message', user());
    await quiet();
    session.append('user/message', user());
    const flush = store.flush(session);
    appends[0]?.fail(new Error('EIO'));
    await quiet();
    expect(appends.slice(1).map(seqs)).toEqual([[[0, 1]]]);
    await appends[1]?.pass();
    await flush;
    expect(session.durableLength).toBe(2);
  });

  it('of one Session leaves the others alone [S12]', async () => {
    const { store, appends } = await held();
    const [one, two] = [await store.create({ id: plum }), await store.create({ id: kiwi })];
    turn(one);
    turn(two);
    const [first, second] = [codeOf(() => store.flush(one)), codeOf(() => store.flush(two))];
    await quiet();
    appends[0]?.answer([{ ok: false, error: sessionError('NOT_DURABLE', 'full') }, { ok: true }]);
    expect([await first, await second]).toEqual(['NOT_DURABLE', 'none']);
    turn(two);
    await quiet();
    expect(appends.slice(1).map(seqs)).toEqual([[[3, 4, 5]]]);
  });

  it('after any faults a reload equals memory, and durableLength was never ahead of the medium [S12]', async () => {
    const faults = fc.array(
      fc.constantFrom<Fault>('none', 'fail-before', 'fail-half', 'fail-after', 'fail-parts'),
      {
        maxLength: 12,
      },
    );
    await fc.assert(
      fc.asyncProperty(faults, fc.array(fc.nat(4), { minLength: 1, maxLength: 12 }), async (plan, steps) => {
        const { store, medium } = await bench({
          wrap: (driver) => faultyDriver(driver, (call) => plan[call] ?? 'none'),
        });
        const session = await store.create({ id: plum });
        for (const count of steps) {
          for (let index = 0; index < count; index += 1)
            session.append('user/message', user(`${session.length}`));
          await codeOf(() => store.flush(session));
          const other = (await bench({ medium })).store;
          if (session.durableLength > 0)
            expect((await other.head(plum)).length).toBeGreaterThanOrEqual(session.durableLength);
        }
        while (session.durableLength < session.length) await codeOf(() => store.flush(session));
        if (session.length === 0) return;
        const records = await all((await bench({ medium })).store.read(plum));
        expect(records).toEqual(session.events().map((event) => ({ kind: 'event', event })));
      }),
      { seed: 41, numRuns: 100 },
    );
  });
});

describe('pressure', () => {
  const small = { maxPendingBytes: { session: 1000, store: 2500 } };
  const big = (size: number) => user('x'.repeat(size));

  it('is said above the bound of a Session; twice above, only what ends a turn is taken [S13]', async () => {
    const { store } = await bench({ ...small, wrap: (driver) => heldDriver(driver).driver });
    const session = await store.create();
    session.append('turn/start', { turn: 0 });
    expect(session.pressure).toBe(false);
    session.append('user/message', big(1000));
    expect(session.pressure).toBe(true);
    session.append('user/message', big(1000));
    const { length } = session;
    expect(await codeOf(() => session.append('user/message', big(1)))).toBe('BACKPRESSURE');
    expect(session.length).toBe(length);
    session.append('turn/end', { turn: 0, reason: { kind: 'completed' } });
    expect(session.length).toBe(length + 1);
  });

  it('is said to all Sessions above the bound of the store, and ends when the bytes are written [S13]', async () => {
    const driver: { appends: HeldAppend[] } = { appends: [] };
    const { store } = await bench({
      ...small,
      wrap(inner) {
        const made = heldDriver(inner);
        driver.appends = made.appends;
        return made.driver;
      },
    });
    const sessions = await Promise.all([store.create(), store.create(), store.create(), store.create()]);
    for (const session of sessions.slice(1)) session.append('user/message', big(850));
    expect(sessions.map(({ pressure }) => pressure)).toEqual([true, true, true, true]);
    await quiet();
    await driver.appends[0]?.pass();
    expect(sessions.map(({ pressure }) => pressure)).toEqual([false, false, false, false]);
  });

  it('of a discarded Session is gone with it [S13]', async () => {
    const { store } = await bench(small);
    const session = await store.create({ provisional: true });
    session.append('user/message', big(1500));
    session.append('user/message', big(1500));
    const other = await store.create();
    expect(other.pressure).toBe(true);
    store.discard(session);
    expect(other.pressure).toBe(false);
  });
});
