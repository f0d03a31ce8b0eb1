import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeEvent } from '../../src/log/codec.ts';
import type { LogEvent } from '../../src/log/event-log.ts';
import { outlineAt, outlineAtRest } from '../../src/log/outline-at.ts';
import {
  decodeOutline,
  encodeOutline,
  endsWith,
  extend,
  startOutline,
  type Outline,
} from '../../src/log/outline.ts';
import { assistant, result, user } from '../fixtures.ts';

function event(seq: number, type: string, data: unknown, essential?: true): LogEvent {
  return { seq, time: 1, type, data, ...(essential === undefined ? {} : { essential }) } as LogEvent;
}

function outlineOf(events: readonly LogEvent[], ownFrom = 0): Outline {
  let outline = startOutline(ownFrom);
  for (const each of events) outline = extend(outline, each, encodeEvent(each).json);
  return outline;
}

const log: readonly LogEvent[] = [
  event(0, 'app/descriptor', { name: 'plum' }, true),
  event(1, 'turn/start', { turn: 0 }),
  event(2, 'user/message', user()),
  event(3, 'turn/end', { turn: 0, reason: { kind: 'completed' } }),
  event(4, 'app/note', {}),
  event(5, 'history/replaced', { upTo: 3, messages: [] }, true),
  event(6, 'turn/start', { turn: 1 }),
  event(7, 'assistant/message', assistant('a', 'b')),
  event(8, 'tool/start', { callId: 'a', name: 'dig' }),
  event(9, 'tool/progress', { callId: 'a', data: ['kept', '\ud800'] }),
  event(10, 'tool/result', result('b')),
];

describe('the outline of a log', () => {
  it('says what is open, where the last turn ended, and which types are essential [S27]', () => {
    const outline = outlineOf(log);
    expect(outline).toMatchObject({ length: 11, rest: { at: 4, turns: 1 }, firstTurn: 1 });
    expect(outline.shape).toMatchObject({ turns: 2, open: 1 });
    expect([...outline.shape.calls.values()]).toEqual([
      { callId: 'a', name: 'dig', started: true, kept: [['kept', '\ud800']] },
    ]);
    expect([...outline.essential]).toEqual([
      ['app/descriptor', 0],
      ['history/replaced', 5],
    ]);
  });

  it('comes back from its text as it was, at every length [S27]', () => {
    for (let length = 0; length <= log.length; length += 1) {
      for (const ownFrom of [0, Math.min(4, length)]) {
        const outline = outlineOf(log.slice(0, length), ownFrom);
        expect(decodeOutline(encodeOutline(outline), ownFrom)).toEqual(outline);
      }
    }
  });

  it('is none where its text was cut or changed [S27]', () => {
    const text = encodeOutline(outlineOf(log));
    for (let at = 0; at < text.length; at += 1) {
      expect(decodeOutline(text.slice(0, at), 0)).toBeUndefined();
      const changed = `${text.slice(0, at)}${text[at] === '1' ? '2' : '1'}${text.slice(at + 1)}`;
      expect(decodeOutline(changed, 0)).toBeUndefined();
    }
    expect(decodeOutline('', 0)).toBeUndefined();
  });

  it('is none where it ends before the own events start [S27]', () => {
    expect(decodeOutline(encodeOutline(outlineOf(log.slice(0, 3))), 4)).toBeUndefined();
  });

  it('fits only the record that it ends with, after the records before that [S27]', () => {
    const [last, other] = [
      encodeEvent(event(10, 'tool/result', result('b'))),
      encodeEvent(event(10, 'app/note', {})),
    ];
    const outline = outlineOf(log);
    expect(endsWith(outline, last.json)).toBe(true);
    expect(endsWith(outline, other.json)).toBe(false);
    expect(outlineOf([...log.slice(1)]).chain).not.toEqual(outline.chain);
  });

  it('chains the own records alone: what was inherited is another place and not another text [S27]', () => {
    const changed = [event(0, 'app/other', {}), ...log.slice(1)];
    expect(outlineOf(changed, 4).chain).toEqual(outlineOf(log, 4).chain);
    expect(outlineOf(changed).chain).not.toEqual(outlineOf(log).chain);
  });

  it('tells any two texts apart that differ in length or in a character that counts [S27]', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 500 }), fc.string({ maxLength: 500 }), (one, two) => {
        const [a, b] = [one, two].map(
          (json) => extend(startOutline(), event(0, 'app/note', {}), json).chain.value,
        );
        return (one === two) === (a === b);
      }),
    );
  });
});

describe('the outline of leading events', () => {
  it('is the same as if they were all there were [S22]', () => {
    const whole = outlineOf(log);
    for (let length = 0; length <= log.length; length += 1) {
      const { shape, rest, essential } = outlineOf(log.slice(0, length));
      // Inside of a turn nothing but that is asked.
      const wanted = shape.open === undefined ? { length, shape, rest, essential } : { shape };
      for (const from of [0, length > 7 ? 6 : length > 1 ? 1 : 0])
        expect(outlineAt(whole, length, log.slice(from, length))).toMatchObject(wanted);
    }
    expect(outlineAtRest(whole)).toEqual(outlineAt(whole, 4, log.slice(0, 4)));
  });
});
