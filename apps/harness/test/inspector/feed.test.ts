import { virtualClock } from '@deepseek-ai/dsh-agent/testing';
import type { SessionHeader } from '@deepseek-ai/dsh-session';
import { describe, expect, it } from 'vitest';
import { createFeed } from '../../src/inspector/feed.ts';
import { createKnownSessions, mostEdges } from '../../src/inspector/known-sessions.ts';
import { createPartialAnswers } from '../../src/inspector/partial-answers.ts';
import type { LiveEvent } from '../../src/inspector/protocol.ts';
import { createReplay } from '../../src/inspector/replay.ts';

const header = (id: string, more: object = {}) =>
  ({ version: 1, id, createdAt: 1, ...more }) as unknown as SessionHeader;

function stage() {
  const clock = virtualClock();
  const known = createKnownSessions();
  const replay = createReplay();
  const partials = createPartialAnswers();
  const feed = createFeed({
    ...{ known, partials, replay, clock },
    liveOf: () => undefined,
    catchUp: () => {},
    prices: undefined,
    canWake: false,
  });
  const told = (): readonly LiveEvent[] =>
    (replay.after(0, 1e6) ?? []).map(({ json }) => JSON.parse(json) as LiveEvent);
  return { clock, known, partials, feed, told };
}

describe('the feed', () => {
  it('gathers a burst into one event, and tells a node again only when it has changed [H12]', () => {
    const { clock, known, feed, told } = stage();
    for (const id of ['a', 'b']) known.learnHeader(header(id));
    for (let at = 0; at < 100; at += 1) feed.changed();
    expect(told()).toEqual([]);
    clock.advance(100);
    expect(told()).toMatchObject([{ type: 'nodes', unread: 2, nodes: [{ id: 'b' }, { id: 'a' }] }]);
    known.learnProblem('a' as never, { code: 'DAMAGED_LOG', message: 'x' });
    feed.changed();
    clock.advance(100);
    expect(told()).toHaveLength(2);
    expect(told()[1]).toMatchObject({ unread: 1, nodes: [{ id: 'a', state: 'damaged' }] });
    feed.flush();
    expect(told()).toHaveLength(2);
  });

  it('tells that there is less to be read also where nothing else has changed [H12]', () => {
    const { known, feed, told } = stage();
    known.learnHeader(header('a'));
    feed.flush();
    known.forget('a');
    feed.gone(['a']);
    feed.flush();
    expect(told().slice(1)).toEqual([
      { type: 'nodes', nodes: [], unread: 0 },
      { type: 'gone', ids: ['a'] },
    ]);
  });

  it('tells nothing after it has ended [H12]', () => {
    const { clock, known, feed, told } = stage();
    known.learnHeader(header('a'));
    feed.changed();
    feed[Symbol.dispose]();
    clock.advance(10_000);
    expect(told()).toEqual([]);
  });
});

describe('what is known of a Session', () => {
  const message = (seq: number) =>
    ({
      kind: 'event',
      event: {
        seq,
        time: seq,
        type: 'user/message',
        data: { id: `m${seq}`, source: { kind: 'user' }, content: [] },
      },
    }) as never;

  it('is bounded, whatever its log holds [H12]', () => {
    const known = createKnownSessions();
    const one = known.learnHeader(header('a'));
    for (let seq = 0; seq < 10_000; seq += 500) {
      const some = Array.from({ length: 500 }, (_, at) => message(seq + at));
      known.fold(one, some, seq + 500);
    }
    expect(one.edges).toHaveLength(mostEdges);
    expect(one).toMatchObject({ edgesCut: true, length: 10_000, readTo: 10_000 });
    expect(one.edges.at(-1)?.seq).toBe(9_999);
  });

  it('is read anew where its log has become shorter [H12]', () => {
    const known = createKnownSessions();
    const one = known.learnHeader(header('a', { seedLength: 2 }));
    expect(one.readTo).toBe(2);
    known.fold(one, [message(2), message(3)], 4);
    known.learnLength(one, 3);
    expect(one).toMatchObject({ readTo: 2, length: 3, edges: [] });
  });
});
