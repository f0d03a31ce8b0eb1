import { memoryMedium, type MemoryMedium, type NewEvent, type SessionEvent } from '@deepseek-ai/dsh-session';
import { describe, expect, it } from 'vitest';
import { all, assistant, bench, codeOf, over, plum, quiet, result, turn, user } from './fixtures.ts';

/** A process that wrote `entries` to `plum` and died. */
async function left(entries: readonly NewEvent[], vocabulary: readonly string[] = []): Promise<MemoryMedium> {
  const medium = memoryMedium();
  const { store, driver } = await bench({ medium, vocabulary });
  const session = await store.create({ id: plum });
  session.appendAll(entries);
  await store.flush(session);
  driver.crash();
  return medium;
}

const start: NewEvent = { type: 'turn/start', data: { turn: 0 } };
const ask: NewEvent = { type: 'user/message', data: user() };
const own = (events: readonly SessionEvent[]): readonly SessionEvent[] =>
  events.filter(({ type }) => type !== 'session/taken-over');

describe('opening what a crash left', () => {
  it('gives each call without a result one that says what is known, then ends the turn [S17]', async () => {
    const medium = await left([
      start,
      ask,
      { type: 'assistant/message', data: assistant('done', 'begun', 'noted', 'waiting') },
      { type: 'tool/start', data: { callId: 'done', name: 'dig' } },
      { type: 'tool/result', data: result('done') },
      { type: 'tool/start', data: { callId: 'begun', name: 'dig' } },
      { type: 'tool/start', data: { callId: 'noted', name: 'dig' } },
      { type: 'tool/progress', data: { callId: 'noted', data: { child: 'kiwi' } } },
      { type: 'tool/progress', data: { callId: 'noted', data: 2 } },
    ]);
    const { store } = await bench({ medium });
    const session = await store.open(plum);
    expect(session.turnOpen).toBe(false);
    expect(own(session.events(9)).map(({ type, data }) => ({ type, data }))).toEqual([
      {
        type: 'tool/result',
        data: {
          role: 'tool',
          callId: 'begun',
          name: 'dig',
          outcome: 'unknown',
          content: [
            { type: 'text', text: 'The outcome of dig is unknown: the program stopped while it ran.' },
          ],
        },
      },
      {
        type: 'tool/result',
        data: {
          role: 'tool',
          callId: 'noted',
          name: 'dig',
          outcome: 'unknown',
          content: [
            {
              type: 'text',
              text: 'The outcome of dig is unknown: the program stopped while it ran. What it had noted: {"child":"kiwi"} 2',
            },
          ],
          structured: { kept: [{ child: 'kiwi' }, 2] },
        },
      },
      {
        type: 'tool/result',
        data: {
          role: 'tool',
          callId: 'waiting',
          name: 'dig',
          outcome: 'not-started',
          content: [{ type: 'text', text: 'dig was not started: the program stopped before that.' }],
        },
      },
      { type: 'turn/end', data: { turn: 0, reason: { kind: 'interrupted' } } },
    ]);
  });

  it('has made that durable when it resolves, and does it once [S17]', async () => {
    const medium = await left([start, ask]);
    const first = await bench({ medium });
    const session = await first.store.open(plum);
    expect(session.durableLength).toBe(session.length);
    first.driver.crash();
    const again = await (await bench({ medium })).store.open(plum);
    await again.ready();
    expect(again.events().filter(({ type }) => type === 'turn/end')).toHaveLength(1);
    expect(again.append('turn/start', { turn: 1 }).data.turn).toBe(1);
  });

  it('rejects where that cannot be made durable, and gives the place back [S17]', async () => {
    const medium = await left([start]);
    const { store, clock } = await bench({
      medium,
      wrap: (driver) => over(driver, { append: () => Promise.reject(new Error('EIO')) }),
    });
    expect(await codeOf(() => store.open(plum))).toBe('NOT_DURABLE');
    expect(store.get(plum)).toBeUndefined();
    expect(clock.timers).toBe(0);
    expect((await (await bench({ medium })).store.open(plum)).turnOpen).toBe(false);
  });

  it('knows the messages of the log: none of them comes twice [S10]', async () => {
    const message = user();
    const { store } = await bench({ medium: await left([{ type: 'user/message', data: message }]) });
    const session = await store.open(plum);
    expect(await codeOf(() => session.append('user/message', message))).toBe('INVALID_SEQUENCE');
  });

  it('refuses a log that ends before its place does [S16]', async () => {
    const { store } = await bench({
      medium: await left([ask]),
      wrap: (driver) =>
        over(driver, { take: async (...args) => ({ ...(await driver.take(...args)), length: 2 }) }),
    });
    await expect(store.open(plum)).rejects.toMatchObject({
      code: 'DAMAGED_LOG',
      message: 'session plum not opened: event 1 cannot be read: the log ends before it',
    });
  });

  it('leaves a log alone that ends between turns', async () => {
    const { store, medium } = await bench();
    const session = await store.create({ id: plum });
    turn(session);
    await store.close(session);
    const reopened = await (await bench({ medium })).store.open(plum);
    await reopened.ready();
    expect(reopened.events()).toEqual(session.events());
    expect(reopened.durableLength).toBe(3);
  });

  it('a torn last record is gone, and the next one is whole [S15]', async () => {
    const medium = await left([ask, { type: 'user/message', data: user('torn') }]);
    medium.damage(plum, 'torn-tail');
    const { store } = await bench({ medium });
    const session = await store.open(plum);
    expect(session.history()).toHaveLength(1);
    turn(session, 'next');
    await store.flush(session);
    expect(await all((await bench({ medium })).store.read(plum))).toHaveLength(session.length);
  });
});

describe('opening what is unfit', () => {
  const unknown = (essential: boolean): NewEvent =>
    ({ type: 'other/type', data: { n: [1] }, essential }) as never;

  it('an unknown event is kept, passed over and no obstacle [S8]', async () => {
    const medium = await left([ask, unknown(false)], ['other/type']);
    const { store } = await bench({ medium });
    const session = await store.open(plum);
    expect(session.history()).toHaveLength(1);
    expect(session.events()[1]).toMatchObject({ type: 'other/type', data: { n: [1] } });
    expect((await all(store.read(plum)))[1]).toMatchObject({
      kind: 'unknown',
      event: { type: 'other/type' },
    });
    store.learn(['other/type']);
    expect((await all(store.read(plum)))[1]).toMatchObject({ kind: 'event' });
  });

  it('an unknown essential event is an obstacle, until its type is learned [S8] [S20]', async () => {
    const medium = await left([ask, unknown(true)], ['other/type']);
    const { store } = await bench({ medium });
    await expect(store.open(plum)).rejects.toMatchObject({
      code: 'UNKNOWN_ESSENTIAL_EVENT',
      message: 'session plum not opened: event 1 is an essential other/type, which is not known here',
    });
    expect(await all(store.read(plum))).toHaveLength(2);
    store.learn(['other/type']);
    // Nobody had written yet whose place the first of these openings took over.
    expect((await store.open(plum)).events(2)).toMatchObject([{ type: 'session/taken-over' }]);
  });

  it('a damaged record is an obstacle for open and none for read [S16]', async () => {
    const medium = await left([
      ask,
      start,
      { type: 'turn/end', data: { turn: 0, reason: { kind: 'completed' } } },
    ]);
    medium.damage(plum, 'flipped-byte', 1);
    const { store } = await bench({ medium });
    await expect(store.open(plum)).rejects.toMatchObject({
      code: 'DAMAGED_LOG',
      message: 'session plum not opened: event 1 cannot be read: a byte was changed',
    });
    expect((await all(store.read(plum))).map(({ kind }) => kind)).toEqual(['event', 'damaged', 'event']);
    expect(await store.verify(plum)).toMatchObject({ id: plum, events: 2, damaged: [{ seq: 1 }] });
  });

  it('a repair keeps what is whole, keeps the numbering, and says so in the log [S16]', async () => {
    const medium = await left([ask, start, { type: 'user/message', data: user('kept') }]);
    medium.damage(plum, 'flipped-byte', 1);
    const { store } = await bench({ medium });
    expect(await store.repair(plum)).toMatchObject({ events: 2, damaged: [{ seq: 1 }] });
    expect(await store.repair(plum)).toMatchObject({ events: 5, damaged: [] });
    const session = await store.open(plum);
    await session.ready();
    expect(session.events().map(({ type }) => type)).toEqual([
      'user/message',
      'session/lost',
      'user/message',
      'session/taken-over',
      'session/recovered',
    ]);
    expect(session.history()).toHaveLength(2);
    expect(session.events()[4]).toMatchObject({ data: { damaged: 1 } });
    expect(await codeOf(() => store.repair(plum))).toBe('SESSION_LIVE');
  });

  it.each([
    ['a newer version', { version: 2 }, 'UNSUPPORTED_VERSION'],
    ['an older version', { version: 0 }, 'INVALID_HEADER'],
    ['another id', { id: 'kiwi' }, 'INVALID_HEADER'],
    ['a bad member', { seedLength: -1 }, 'INVALID_HEADER'],
  ])(
    'a header with %s is refused by open and head; list, export and delete work [S2] [S18]',
    async (_, change, code) => {
      const header = JSON.stringify({ version: 1, id: plum, createdAt: 1, ...change });
      const medium = await left([ask]);
      const { store } = await bench({
        medium,
        wrap: (driver) =>
          over(driver, {
            head: async (...args) => ({ ...(await driver.head(...args)), header }),
            async *list(query) {
              for await (const entry of driver.list(query))
                yield entry.kind === 'stored' ? { ...entry, header } : entry;
            },
          }),
      });
      expect(await codeOf(() => store.open(plum))).toBe(code);
      expect(await codeOf(() => store.head(plum))).toBe(code);
      expect(await all(store.list())).toMatchObject([{ kind: 'problem', id: plum, code }]);
      expect((await all(store.export(plum)))[0]).toBe(header);
      await store.delete(plum);
      expect(await all(store.list())).toEqual([]);
    },
  );

  it('a header keeps the members that are not known here [S2]', async () => {
    const header = JSON.stringify({ version: 1, id: plum, createdAt: 1, later: { deep: [1] } });
    const medium = await left([ask]);
    const { store } = await bench({
      medium,
      wrap: (driver) =>
        over(driver, { head: async (...args) => ({ ...(await driver.head(...args)), header }) }),
    });
    expect((await store.open(plum)).header).toEqual(JSON.parse(header));
  });

  it('a caller who leaves gets the reason, and the place is free afterwards [S20]', async () => {
    const medium = await left([ask]);
    let let_go = (): void => undefined;
    const { store } = await bench({
      medium,
      wrap: (driver) =>
        over(driver, {
          take: async (id, intent) => {
            await new Promise<void>((resolve) => (let_go = resolve));
            return driver.take(id, intent, {});
          },
        }),
    });
    const controller = new AbortController();
    const reason = new Error('gone');
    const opening = store.open(plum, { signal: controller.signal });
    await quiet();
    controller.abort(reason);
    await expect(opening).rejects.toBe(reason);
    let_go();
    await quiet();
    await (await bench({ medium })).store.open(plum);
  });

  it('of two at once, one gets it and the other is told SESSION_LIVE [S20]', async () => {
    const { store } = await bench({ medium: await left([ask]) });
    const codes = await Promise.all([codeOf(() => store.open(plum)), codeOf(() => store.open(plum))]);
    expect(codes).toEqual(['none', 'SESSION_LIVE']);
  });
});
