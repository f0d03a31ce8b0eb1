import { describe, expect, it } from 'vitest';
import {
  afterReconnect,
  afterRoute,
  transcriptQuery,
  withNode,
  withTranscript,
  type Opened,
} from '../../page/src/state/opened.ts';
import {
  shownPartial,
  transcriptOf,
  windowSize,
  withPieces,
  type Transcript,
} from '../../page/src/state/transcript.ts';
import { transcriptItems } from '../../page/src/state/transcript-items.ts';
import type { StreamPiece } from '../../page/src/wire.ts';
import { agent, page, records } from './nodes.ts';

const fresh: Opened = { id: 'a', follow: true, inboxStale: true };
const loaded = (from: number, to: number, length: number, more: Partial<Opened> = {}): Opened => ({
  ...fresh,
  transcript: transcriptOf(page(from, to, length)),
  ...more,
});
const span = ({ transcript }: Opened): readonly number[] =>
  transcript === undefined
    ? []
    : [transcript.from, transcript.to, transcript.length, transcript.entries.length];

describe('what is asked for next', () => {
  it.each<[string, Opened, object | undefined]>([
    ['the end, of what was just opened', fresh, { limit: 100 }],
    ['the page around a link', { ...fresh, seq: 700, follow: false }, { from: 675, limit: 100 }],
    ['the beginning for a link near it', { ...fresh, seq: 3, follow: false }, { from: 0, limit: 100 }],
    ['nothing, with the end in view', loaded(0, 50, 50), undefined],
    ['what is new, when the end is followed', loaded(0, 50, 60), { from: 50, limit: 100 }],
    ['nothing new, when a person reads further up', loaded(0, 50, 60, { follow: false }), undefined],
    ['the end alone, when that is far away', loaded(0, 100, 5_000), { limit: 100 }],
    ['an older page', loaded(500, 600, 600, { want: 'older' }), { from: 400, limit: 100 }],
    ['the first page, shorter', loaded(30, 100, 100, { want: 'older' }), { from: 0, limit: 30 }],
    ['a newer page', loaded(0, 100, 600, { want: 'newer', follow: false }), { from: 100, limit: 100 }],
    ['the same page anew', loaded(100, 200, 600, { want: 'anew', follow: false }), { from: 100, limit: 100 }],
    ['the end anew', loaded(300, 600, 600, { want: 'anew' }), { limit: 300 }],
    ['nothing after a refusal', { ...fresh, problem: 'No.' }, undefined],
  ])('is %s [H12]', (_what, opened, query) => {
    expect(transcriptQuery(opened)).toEqual(query);
  });
});

describe('the loaded part of a log', () => {
  it('grows at both ends, and lets go of what is farthest away [H12]', () => {
    let opened = loaded(1_000, 1_100, 2_000, { follow: false });
    for (let to = 1_000; to > 600; to -= 100) opened = withTranscript(opened, page(to - 100, to, 2_000));
    expect(span(opened)).toEqual([600, 1_000, 2_000, windowSize]);
    for (let from = 1_000; from < 1_300; from += 100)
      opened = withTranscript(opened, page(from, from + 100, 2_000));
    expect(span(opened)).toEqual([900, 1_300, 2_000, windowSize]);
    expect(opened.transcript?.entries.map(({ seq }) => seq)).toEqual(
      records(900, 1_300).map(({ seq }) => seq),
    );
  });

  it('is replaced by a page that does not touch it, and not by one of another agent [H12]', () => {
    const opened = loaded(0, 100, 5_000);
    expect(span(withTranscript(opened, page(4_900, 5_000, 5_000)))).toEqual([4_900, 5_000, 5_000, 100]);
    expect(withTranscript(opened, page(100, 200, 5_000, { id: 'b' }))).toBe(opened);
  });

  it('is kept over a reconnection until it is loaded anew [H12]', () => {
    const again = afterReconnect({ ...loaded(0, 50, 50), problem: 'No.' });
    expect(again).toMatchObject({ want: 'anew', problem: undefined, inboxStale: true });
    expect(span(again)).toEqual([0, 50, 50, 50]);
    expect(afterReconnect(fresh).want).toBeUndefined();
  });

  it('stays for a link into it, and goes for a link out of it; another agent starts at its end [H12]', () => {
    const opened = loaded(100, 200, 500);
    expect(afterRoute(opened, { agent: 'a', pane: 'transcript', seq: 150 })).toMatchObject({
      follow: false,
      seq: 150,
    });
    expect(span(afterRoute(opened, { agent: 'a', pane: 'transcript', seq: 150 })!)).toEqual([
      100, 200, 500, 100,
    ]);
    expect(afterRoute(opened, { agent: 'a', pane: 'transcript', seq: 300 })?.transcript).toBeUndefined();
    expect(afterRoute(opened, { agent: 'b', pane: 'sequence' })).toEqual({
      id: 'b',
      follow: true,
      inboxStale: true,
    });
    expect(afterRoute(opened, { pane: 'agents' })).toBeUndefined();
  });

  it('shows what the program wrote for itself only when asked, and numbers what has no place [H12]', () => {
    const entries = [
      ...records(0, 1),
      { kind: 'record', seq: 1, type: 'x', json: { text: '{}' } },
      { kind: 'damaged', reason: 'cut', bytes: 3 },
      { kind: 'damaged', reason: 'cut', bytes: 4 },
      { kind: 'turn-end', seq: 4, turn: 0, reason: 'completed' },
      { kind: 'turn-end', seq: 5, turn: 1, reason: 'error' },
    ] as const;
    expect(transcriptItems(entries, false).map(({ key }) => key)).toEqual(['0', '1+1', '1+2', '5']);
    expect(transcriptItems(entries, true)).toHaveLength(6);
  });
});

describe('an answer that is being written', () => {
  const piece = (at: number, text: string, more: Partial<StreamPiece> = {}): StreamPiece => ({
    ...{ session: 'a', turn: 1, step: 0, attempt: 0, part: 'text', at, text },
    ...more,
  });
  const start: Transcript = transcriptOf(page(0, 2, 2));
  const after = (pieces: readonly StreamPiece[], from = start) => {
    const { transcript, missed } = withPieces(from, pieces);
    return [transcript.partial?.text, transcript.partial?.reasoning, missed];
  };

  it.each<[string, readonly StreamPiece[], readonly unknown[]]>([
    ['grows piece by piece', [piece(0, 'ab'), piece(2, 'cd')], ['abcd', '', false]],
    ['has its reasoning apart', [piece(0, 'r', { part: 'reasoning' }), piece(0, 'ab')], ['ab', 'r', false]],
    ['takes a repeated piece once', [piece(0, 'ab'), piece(0, 'ab'), piece(1, 'bc')], ['abc', '', false]],
    ['tells that a piece is missing', [piece(0, 'ab'), piece(5, 'x')], [undefined, undefined, true]],
    ['begins anew with another attempt', [piece(0, 'ab'), piece(0, 'c', { attempt: 1 })], ['c', '', false]],
    ['does not go back to an older step', [piece(0, 'ab', { step: 1 }), piece(0, 'c')], ['ab', '', false]],
    ['is that of its own agent', [piece(0, 'ab', { session: 'b' })], [undefined, undefined, false]],
  ])('%s [H12]', (_what, pieces, result) => {
    expect(after(pieces)).toEqual(result);
  });

  it('is over when its agent is, and when the log has it [H12]', () => {
    const { transcript } = withPieces(start, [piece(0, 'ab')]);
    const opened: Opened = { ...fresh, transcript };
    expect(withNode(opened, agent('a', { state: 'running', length: 2 })).transcript?.partial?.text).toBe(
      'ab',
    );
    expect(withNode(opened, agent('a', { state: 'settled', length: 2 })).transcript?.partial).toBeUndefined();
    const answer = {
      kind: 'assistant',
      seq: 2,
      messageId: 'x',
      finish: 'stop',
      blocks: [{ kind: 'text', text: 'abc' }],
    } as const;
    expect(shownPartial(transcript)?.text).toBe('ab');
    expect(shownPartial({ ...transcript, entries: [answer] })).toBeUndefined();
    expect(
      shownPartial({ ...transcript, entries: [answer, { kind: 'turn-start', seq: 3, turn: 2 }] })?.text,
    ).toBe('ab');
  });

  it('keeps the longer one when what was loaded and what was streamed meet [H12]', () => {
    const partial = { turn: 1, step: 0, attempt: 0, text: 'abc', reasoning: '' };
    const { transcript } = withPieces(start, [piece(0, 'abcdef')]);
    const grown = { ...fresh, transcript: { ...transcript, length: 3 } };
    expect(withTranscript(grown, page(2, 3, 3, { partial })).transcript?.partial?.text).toBe('abcdef');
    const later = { ...partial, step: 1, text: 'x' };
    expect(withTranscript(grown, page(2, 3, 3, { partial: later })).transcript?.partial?.text).toBe('x');
    expect(withTranscript(grown, page(2, 3, 3)).transcript?.partial).toBeUndefined();
  });
});
