import type { NewEvent } from '@deepseek-ai/dsh-session';
import { describe, expect, it } from 'vitest';
import { advance, emptyShape } from '../../src/log/turn-shape.ts';
import { assistant, bench, codeOf, result, snapshot, user } from '../fixtures.ts';

const end = { kind: 'completed' } as const;
const start = (turn: number): NewEvent => ({ type: 'turn/start', data: { turn } });
const finish = (turn: number): NewEvent => ({ type: 'turn/end', data: { turn, reason: end } });
const say = (...calls: readonly string[]): NewEvent => ({
  type: 'assistant/message',
  data: assistant(...calls),
});
const began = (callId: string): NewEvent => ({ type: 'tool/start', data: { callId, name: 'dig' } });
const noted = (callId: string): NewEvent => ({ type: 'tool/progress', data: { callId, data: 1 } });
const answer = (callId: string): NewEvent => ({ type: 'tool/result', data: result(callId) });
const once = user('once');
const hear = (message = user()): NewEvent => ({ type: 'user/message', data: message });

const allowed: Readonly<Record<string, readonly NewEvent[]>> = {
  'turns one after the other': [start(0), finish(0), start(1), finish(1)],
  'messages outside of a turn': [hear(), say(), start(0), hear(), say(), finish(0), hear()],
  'calls with results in any order': [
    start(0),
    say('a', 'b'),
    began('a'),
    answer('b'),
    noted('a'),
    answer('a'),
    finish(0),
  ],
  'a call id that was answered before': [start(0), say('a'), answer('a'), say('a'), answer('a'), finish(0)],
  'a result of a call that never started': [start(0), say('a'), answer('a'), finish(0)],
};

const refused: Readonly<Record<string, readonly [before: readonly NewEvent[], next: NewEvent]>> = {
  'a turn inside a turn': [[start(0)], start(1)],
  'a turn with the ordinal of another': [[start(0), finish(0)], start(0)],
  'a turn that leaves one out': [[], start(1)],
  'the end of a turn that is not open': [[], finish(0)],
  'a second end': [[start(0), finish(0)], finish(0)],
  'the end of another turn': [[start(0)], finish(1)],
  'the end of a turn with a call without result': [[start(0), say('a')], finish(0)],
  'a next step with a call without result': [[start(0), say('a')], say('b')],
  'a call outside of a turn': [[], say('a')],
  'two calls with one id': [[start(0)], say('a', 'a')],
  'a result without a call': [[start(0)], answer('a')],
  'a second result': [[start(0), say('a'), answer('a')], answer('a')],
  'a result outside of a turn': [[start(0), say('a'), answer('a'), finish(0)], answer('a')],
  'a start without a call': [[start(0)], began('a')],
  'a second start': [[start(0), say('a'), began('a')], began('a')],
  'progress without a call': [[start(0)], noted('a')],
  'a message that is in the log already': [[hear(once)], hear(once)],
  'a replacement of what is not there yet': [
    [],
    { type: 'history/replaced', data: { upTo: 1, messages: [] } },
  ],
};

describe('the shape of turns', () => {
  it.each(Object.entries(allowed))('allows %s [S10]', async (_, entries) => {
    const { store } = await bench();
    const session = await store.create();
    for (const entry of entries) session.appendAll([entry]);
    expect(session.length).toBe(entries.length);
    const other = await store.create();
    expect(other.appendAll(entries)).toHaveLength(entries.length);
  });

  it.each(Object.entries(refused))(
    'refuses %s, and the log is as it was [S10]',
    async (_, [before, next]) => {
      const { store } = await bench();
      const session = await store.create();
      session.appendAll(before);
      const log = snapshot(session);
      expect(await codeOf(() => session.appendAll([next]))).toBe('INVALID_SEQUENCE');
      expect(snapshot(session)).toBe(log);
    },
  );

  it.each(Object.entries(refused))(
    'refuses %s within one appendAll, and takes none of it [S6] [S10]',
    async (_, [before, next]) => {
      const { store } = await bench();
      const session = await store.create();
      expect(await codeOf(() => session.appendAll([...before, next]))).toBe('INVALID_SEQUENCE');
      expect(session.length).toBe(0);
      expect(session.turnOpen).toBe(false);
      session.appendAll(before);
      expect(session.length).toBe(before.length);
    },
  );

  it('a fork may hold a message that its prefix holds: only own events count [S10]', async () => {
    const { store } = await bench();
    const session = await store.create();
    session.appendAll([start(0), hear(once), finish(0)]);
    const fork = await store.fork(session.id);
    fork.append('user/message', once);
    expect(await codeOf(() => fork.append('user/message', once))).toBe('INVALID_SEQUENCE');
  });

  it('takes a log as it stands: what belongs to no call of the open turn changes nothing [S10 S17]', () => {
    const open = [start(0), say('a')].reduce(advance, emptyShape);
    for (const stray of [began('b'), noted('b'), answer('b')]) {
      expect(advance(open, stray)).toEqual(open);
      expect(advance(emptyShape, stray)).toEqual(emptyShape);
    }
    expect(advance(emptyShape, say('a'))).toEqual(emptyShape);
  });

  it.each([
    ['a turn without ordinal', { type: 'turn/start', data: {} }],
    ['a message of another role', { type: 'user/message', data: assistant() }],
    ['a message without content', { type: 'user/message', data: { ...user(), content: 'text' } }],
    [
      'a call without id',
      { type: 'assistant/message', data: { ...assistant(), content: [{ type: 'tool-call' }] } },
    ],
    ['an event without type', { type: '', data: {} }],
  ])('refuses %s as INVALID_EVENT', async (_, entry) => {
    const { store } = await bench();
    const session = await store.create();
    expect(await codeOf(() => session.appendAll([entry as never]))).toBe('INVALID_EVENT');
    expect(session.length).toBe(0);
  });
});
