import { describe, expect, it } from 'vitest';
import { bench, codeOf, plum, user } from './fixtures.ts';

/** A message whose text is worked out when it is looked at. */
function lazy(text: () => string): ReturnType<typeof user> {
  const content = Object.defineProperty({ type: 'text' }, 'text', { get: text, enumerable: true });
  return { ...user(), content: [content as never] };
}

describe('a getter in what is appended', () => {
  it('may append itself: that stands before it, and the log has no gap [S6 S12]', async () => {
    const { store } = await bench();
    const session = await store.create({ id: plum });
    const told: number[] = [];
    session.subscribe(({ seq }) => told.push(seq));
    const inner = user('inner');
    const outer = lazy(() => {
      session.append('user/message', inner);
      return 'outer';
    });
    expect(session.appendAll([{ type: 'user/message', data: outer }])).toMatchObject([{ seq: 1 }]);
    expect(session.events()).toMatchObject([
      { seq: 0, data: inner },
      { seq: 1, data: { content: [{ text: 'outer' }] } },
    ]);
    expect(told).toEqual([0, 1]);
    expect(await codeOf(() => session.append('user/message', inner))).toBe('INVALID_SEQUENCE');
    const before = session.events();
    await store.close(session);
    const again = await store.open(plum);
    await again.ready();
    expect(again.events()).toEqual(before);
  });

  it('that starts a turn is minded: a second start does not come behind it [S10]', async () => {
    const { store } = await bench();
    const session = await store.create();
    const start = {
      get turn() {
        session.append('turn/start', { turn: 0 });
        return 0;
      },
    };
    expect(await codeOf(() => session.append('turn/start', start))).toBe('INVALID_SEQUENCE');
    expect(session.events()).toMatchObject([{ seq: 0, type: 'turn/start' }]);
  });

  it('that closes the Session: nothing is appended any more [S11]', async () => {
    const { store } = await bench();
    const session = await store.create();
    let closing: Promise<void> | undefined;
    const data = lazy(() => {
      closing = store.close(session);
      return 'late';
    });
    expect(await codeOf(() => session.append('user/message', data))).toBe('SESSION_CLOSED');
    expect(session.length).toBe(0);
    await closing;
  });

  it('that throws: its own error is given, and the log is unchanged [S5]', async () => {
    const { store } = await bench();
    const session = await store.create();
    const cause = new Error('a bad getter');
    const data = lazy(() => {
      throw cause;
    });
    const first = { type: 'user/message', data: user() } as const;
    expect(() => session.appendAll([first, { type: 'user/message', data }])).toThrow(cause);
    expect(session.length).toBe(0);
  });

  it('of the meta of a new Session that throws: its own error is given, and the id stays free [S2]', async () => {
    const { store } = await bench();
    const cause = new Error('a bad getter');
    const meta = {
      get tag(): string {
        throw cause;
      },
    };
    await expect(store.create({ id: plum, meta })).rejects.toBe(cause);
    await store.create({ id: plum });
  });

  it('of the type is asked once: what was checked is what is appended [S8]', async () => {
    const { store } = await bench();
    const session = await store.create();
    const types = ['chart/drawn', 'turn/end'];
    const entry = {
      get type() {
        return types.shift();
      },
      data: {},
    };
    expect(session.appendAll([entry as never])).toMatchObject([{ type: 'chart/drawn' }]);
  });
});
