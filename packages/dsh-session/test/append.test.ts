import type { NewEvent, SessionEvent } from '@deepseek-ai/dsh-session';
import { describe, expect, it } from 'vitest';
import { assistant, bench, codeOf, snapshot, turn, user } from './fixtures.ts';

describe('append', () => {
  it('is synchronous: the frozen event is in history and told to subscribers at once [S6]', async () => {
    const { store, clock } = await bench();
    const session = await store.create();
    const told: SessionEvent[] = [];
    session.subscribe((event) => told.push(event));
    const message = user();
    const event = session.append('user/message', message);
    expect(event).toEqual({ seq: 0, time: clock.now(), type: 'user/message', data: message });
    expect(Object.isFrozen(event) && Object.isFrozen(event.data) && Object.isFrozen(event.data.content)).toBe(
      true,
    );
    expect(told).toEqual([event]);
    expect(told[0]).toBe(event);
    expect(session.history()).toEqual([message]);
    expect(session.length).toBe(1);
    expect(session.durableLength).toBe(0);
  });

  it('of many runs the subscribers after the last is committed [S6]', async () => {
    const { store } = await bench();
    const session = await store.create();
    const lengths: number[] = [];
    session.subscribe(() => lengths.push(session.length));
    const entries: NewEvent[] = [user('a'), user('b'), user('c')].map((data) => ({
      type: 'user/message',
      data,
    }));
    expect(session.appendAll(entries).map(({ seq }) => seq)).toEqual([0, 1, 2]);
    expect(lengths).toEqual([3, 3, 3]);
    expect(session.appendAll([])).toEqual([]);
  });

  it('goes on when a subscriber throws: the others hear, and it is reported [S6]', async () => {
    const { store, diagnostics } = await bench();
    const session = await store.create();
    const cause = new Error('a bad listener');
    const told: number[] = [];
    session.subscribe(() => {
      throw cause;
    });
    session.subscribe(({ seq }) => told.push(seq));
    session.append('user/message', user());
    session.append('user/message', user());
    expect(told).toEqual([0, 1]);
    expect(diagnostics).toMatchObject([
      { code: 'subscriber-failed', level: 'error', sessionId: session.id, cause },
      { code: 'subscriber-failed' },
    ]);
  });

  it('from inside a subscriber is committed at once and told in seq order to all [S6]', async () => {
    const { store } = await bench();
    const session = await store.create();
    const first: number[] = [];
    const second: number[] = [];
    session.subscribe(({ seq }) => {
      first.push(seq);
      if (seq > 1) return;
      const inner = session.append('user/message', user());
      expect(session.history()).toHaveLength(inner.seq + 1);
    });
    session.subscribe(({ seq }) => second.push(seq));
    session.append('user/message', user());
    expect(first).toEqual([0, 1, 2]);
    expect(second).toEqual([0, 1, 2]);
  });

  it('tells a subscriber what is committed after it subscribed, and nothing once it is disposed [S6]', async () => {
    const { store } = await bench();
    const session = await store.create();
    const late: number[] = [];
    const gone: number[] = [];
    const registration = session.subscribe(({ seq }) => gone.push(seq));
    session.subscribe(({ seq }) => {
      if (seq !== 0) return;
      session.append('user/message', user('committed before the late one comes'));
      session.subscribe((event) => late.push(event.seq));
      session.append('user/message', user());
      registration.dispose();
      registration.dispose();
    });
    session.append('user/message', user());
    expect(late).toEqual([2]);
    expect(gone).toEqual([0]);
  });

  it('the same listener twice is two registrations [S6]', async () => {
    const { store } = await bench();
    const session = await store.create();
    let count = 0;
    const listener = (): void => {
      count += 1;
    };
    const one = session.subscribe(listener);
    session.subscribe(listener);
    session.append('user/message', user());
    one[Symbol.dispose]();
    session.append('user/message', user());
    expect(count).toBe(3);
  });

  it('may not make an unlearned type essential; otherwise it takes it [S8]', async () => {
    const { store } = await bench({ vocabulary: ['known/type'] });
    const session = await store.create();
    const entry = (type: string, essential: boolean): NewEvent => ({ type, data: {}, essential }) as never;
    expect(session.appendAll([entry('other/type', false)])[0]).not.toHaveProperty('essential');
    expect(await codeOf(() => session.appendAll([entry('other/type', true)]))).toBe('INVALID_EVENT');
    expect(session.appendAll([entry('known/type', true)])[0]).toMatchObject({ essential: true });
    store.learn(['other/type']);
    expect(session.appendAll([entry('other/type', true)])[0]).toMatchObject({ seq: 2, essential: true });
  });

  it('makes a replacement of history essential by itself [S29]', async () => {
    const { store } = await bench();
    const session = await store.create();
    expect(session.append('history/replaced', { upTo: 0, messages: [] })).toMatchObject({ essential: true });
  });

  it('does not grow dearer with the length of the log [S9]', async () => {
    const { store } = await bench();
    const session = await store.create();
    for (let count = 0; count < 3000; count += 1) session.append('assistant/message', assistant());
    expect(session.events(2990)).toHaveLength(10);
    expect(session.events(1023)[0]?.seq).toBe(1023);
    expect(session.events().map(({ seq }) => seq)).toEqual(Array.from({ length: 3000 }, (_, seq) => seq));
  });

  it('throws SESSION_CLOSED once the Session is closed, and changes nothing [S11]', async () => {
    const { store } = await bench();
    const session = await store.create();
    turn(session);
    const closing = store.close(session);
    const before = snapshot(session);
    expect(await codeOf(() => session.append('user/message', user()))).toBe('SESSION_CLOSED');
    await closing;
    expect(await codeOf(() => session.append('user/message', user()))).toBe('SESSION_CLOSED');
    expect(snapshot(session)).toBe(before);
    expect(session.sealed).toBe(true);
  });
});
