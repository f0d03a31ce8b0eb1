import type { Message, SessionEvent } from '@deepseek-ai/dsh-session';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createHistory } from '../../src/log/history.ts';
import { assistant, bench, result, turn, user } from '../fixtures.ts';

describe('history', () => {
  it('shows messages and results in the order of the log, and nothing else [S9]', async () => {
    const { store } = await bench();
    const session = await store.create();
    const [asked, called, answered] = [user('?'), assistant('a'), result('a')];
    session.append('turn/start', { turn: 0 });
    session.append('user/message', asked);
    session.append('assistant/message', called);
    session.append('tool/start', { callId: 'a', name: 'dig' });
    session.append('tool/progress', { callId: 'a', data: 1 });
    session.append('tool/result', answered);
    session.append('turn/end', { turn: 0, reason: { kind: 'completed' } });
    expect(session.history()).toEqual([asked, called, answered]);
  });

  it('is the same array until something is new, and an older one never changes [S9]', async () => {
    const { store } = await bench();
    const session = await store.create();
    turn(session, 'one');
    const one = session.history();
    session.append('turn/start', { turn: 1 });
    expect(session.history()).toBe(one);
    session.append('user/message', user('two'));
    const two = session.history();
    expect(one).toHaveLength(1);
    expect(two).toHaveLength(2);
    expect(session.history()).toBe(two);
  });

  it('looks at each event once [S9]', () => {
    let looked = 0;
    const history = createHistory();
    const event = (seq: number): SessionEvent =>
      Object.defineProperty({ seq, time: 0, data: user() }, 'type', {
        get() {
          looked += 1;
          return 'user/message';
        },
      }) as never;
    for (let seq = 0; seq < 50; seq += 1) {
      history.add(event(seq));
      history.messages();
      history.messages();
    }
    expect(looked).toBe(50);
  });

  it('shows a replacement in place of what it covers; the log keeps everything [S29]', async () => {
    const { store } = await bench();
    const session = await store.create();
    turn(session, 'one');
    turn(session, 'two');
    const summary = user('in short');
    session.append('history/replaced', { upTo: 3, messages: [summary] });
    expect(texts(session.history())).toEqual(['in short', 'two']);
    expect(session.length).toBe(7);
    turn(session, 'three');
    expect(texts(session.history())).toEqual(['in short', 'two', 'three']);
    session.append('history/replaced', { upTo: 6, messages: [user('shorter')] });
    expect(texts(session.history())).toEqual(['shorter', 'three']);
  });

  it('a fork through a replacement inherits it [S29]', async () => {
    const { store } = await bench();
    const session = await store.create();
    turn(session, 'one');
    session.append('history/replaced', { upTo: 3, messages: [user('in short')] });
    turn(session, 'two');
    const fork = await store.fork(session.id);
    expect(texts(fork.history())).toEqual(['in short', 'two']);
    const before = await store.fork(session.id, { length: 3 });
    expect(texts(before.history())).toEqual(['one']);
  });

  it('equals what one walk over the whole log gives, whenever it is asked [S9] [S29]', () => {
    const step = fc.oneof(
      fc.constant('say' as const),
      fc.constant('look' as const),
      fc.record({ back: fc.nat(12), messages: fc.nat(3) }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const history = createHistory();
        const log: SessionEvent[] = [];
        for (const [index, kind] of steps.entries()) {
          if (kind === 'look') expect(history.messages()).toEqual(naive(log));
          else {
            const event = eventOf(log.length, index, kind);
            log.push(event);
            history.add(event);
          }
        }
        expect(history.messages()).toEqual(naive(log));
      }),
      { seed: 21 },
    );
  });
});

function eventOf(seq: number, index: number, kind: 'say' | { back: number; messages: number }): SessionEvent {
  const common = { seq, time: 0 };
  if (kind === 'say') return { ...common, type: 'user/message', data: user(`${index}`) };
  const upTo = Math.max(0, seq - kind.back);
  const messages = Array.from({ length: kind.messages }, (_, count) => user(`${index}/${count}`));
  return { ...common, type: 'history/replaced', data: { upTo, messages } };
}

/** The rule as it is worded: a replacement takes the place of all that events below `upTo` gave. */
function naive(log: readonly SessionEvent[]): readonly Message[] {
  let shown: { readonly below: number; readonly message: Message }[] = [];
  for (const event of log) {
    if (event.type === 'user/message') shown.push({ below: event.seq + 1, message: event.data });
    if (event.type !== 'history/replaced') continue;
    const { upTo, messages } = event.data;
    shown = [
      ...messages.map((message) => ({ below: upTo, message })),
      ...shown.filter(({ below }) => below > upTo),
    ];
  }
  return shown.map(({ message }) => message);
}

function texts(messages: readonly Message[]): readonly string[] {
  return messages.flatMap(({ content }) =>
    content.flatMap((block) => (block.type === 'text' ? [block.text] : [])),
  );
}
