import { describe, expect, it } from 'vitest';
import {
  connectionSentence,
  connectionWord,
  retryDelay,
  withConnection,
  type Connection,
  type ConnectionEvent,
} from '../../page/src/state/connection.ts';
import { firstState, reduce, type PageEvent, type PageState } from '../../page/src/state/page-state.ts';
import { formatRoute, parseRoute, type Route } from '../../page/src/state/route.ts';
import { failed, found, more, noSearch, paused, searchPath, typed } from '../../page/src/state/search.ts';
import { eventParser } from '../../page/src/client/event-stream.ts';
import { agent, page, stateOf } from './nodes.ts';

describe('a link', () => {
  it.each<[string, Route]>([
    ['', { pane: 'agents' }],
    ['#/', { pane: 'agents' }],
    ['#/sequence', { pane: 'sequence' }],
    ['#/s/a', { agent: 'a', pane: 'transcript' }],
    ['#/s/a/sequence', { agent: 'a', pane: 'sequence' }],
    ['#/s/a/transcript/12', { agent: 'a', pane: 'transcript', seq: 12 }],
    ['#/s/a%2Fb%23c', { agent: 'a/b#c', pane: 'transcript' }],
    ['#/new', { pane: 'transcript', fresh: true }],
  ])('%s leads to one place, and back [H12]', (hash, route) => {
    expect(parseRoute(hash)).toEqual(route);
    expect(parseRoute(formatRoute(route))).toEqual(route);
  });

  it.each<[string, Route]>([
    ['#/s/', { pane: 'agents' }],
    ['#/s/%E0%A4%A', { pane: 'agents' }],
    ['#/s/a/nowhere/x', { agent: 'a', pane: 'transcript' }],
    ['#/s/a/transcript/-1', { agent: 'a', pane: 'transcript' }],
    ['#/what/ever', { pane: 'agents' }],
  ])('%s leads as far as it can [H12]', (hash, route) => {
    expect(parseRoute(hash)).toEqual(route);
  });
});

describe('the connection', () => {
  const connected = (boot: string): ConnectionEvent => ({ type: 'connected', boot });
  const play = (...events: readonly ConnectionEvent[]): Connection =>
    events.reduce<Connection>(withConnection, { kind: 'loading' });

  it.each<[string, Connection, string, RegExp | undefined]>([
    ['begins', play(), 'Connecting', undefined],
    ['is live', play(connected('1')), 'Live', undefined],
    ['was lost', play(connected('1'), { type: 'lost', now: 0 }), 'Reconnecting', /not been reached for 7 s/],
    ['was ended', play(connected('1'), { type: 'bye', now: 0 }), 'Server ended', /has ended, 7 s ago/],
    ['stays ended', play({ type: 'bye', now: 0 }, { type: 'lost', now: 5_000 }), 'Server ended', /7 s ago/],
    ['is there again', play(connected('1'), { type: 'lost', now: 0 }, connected('1')), 'Live', undefined],
    [
      'is another run',
      play(connected('1'), { type: 'bye', now: 0 }, connected('2')),
      'Live',
      /started again/,
    ],
    [
      'was seen to be another',
      play(connected('1'), { type: 'bye', now: 0 }, connected('2'), { type: 'noticed' }),
      'Live',
      undefined,
    ],
    ['rests', play(connected('1'), { type: 'rested', boot: '1' }), 'Paused', undefined],
    [
      'is another run after a rest',
      play(connected('1'), { type: 'rested', boot: '2' }, connected('2')),
      'Live',
      /started again/,
    ],
    ['has no entry', play({ type: 'refused', code: 'NO_ENTRY', sentence: '' }), 'No entry', /Open the link/],
    [
      'is refused',
      play({ type: 'refused', code: 'TOO_MANY_READERS', sentence: 'Too many.' }),
      'No entry',
      /Too many\./,
    ],
  ])('%s, in a word and a sentence [H12]', (_what, connection, word, sentence) => {
    expect(connectionWord(connection)).toBe(word);
    const told = connectionSentence(connection, 7_000);
    if (sentence === undefined) expect(told).toBeUndefined();
    else expect(told).toMatch(sentence);
  });

  it('is tried again soon, and never later than after five seconds [H12]', () => {
    expect([0, 1, 2, 20].map(retryDelay)).toEqual([250, 500, 1_000, 5_000]);
  });
});

describe('events of the server', () => {
  it.each([
    ['whole', ['data: {"a":1}\n\n'], ['{"a":1}']],
    ['cut anywhere', ['da', 'ta: {"a"', ':1}\n', '\nda', 'ta: 2\n\n'], ['{"a":1}', '2']],
    [
      'with names, ids, comments and the line ends of another system',
      [': hi\r\nid: 7\r\ndata: 1\r\n\r\n'],
      ['1'],
    ],
    ['of several lines', ['data: 1\ndata: 2\n\n'], ['1\n2']],
    ['unfinished', ['data: 1\n'], []],
  ])('are read %s [H15]', (_what, chunks, events) => {
    const parser = eventParser();
    expect(chunks.flatMap((chunk) => [...parser.push(chunk)])).toEqual(events);
  });
});

const play = (...events: readonly PageEvent[]): PageState =>
  events.reduce(reduce, firstState(parseRoute('#/s/a')));
const loaded = play(
  { type: 'state', reply: stateOf([agent('a', { length: 3, state: 'running' })]) },
  { type: 'transcript', reply: page(0, 3, 3) },
);

describe('the state of the page', () => {
  const live = (event: Extract<PageEvent, { type: 'live' }>['event'], from = loaded): PageState =>
    reduce(from, { type: 'live', event });

  it('asks for more of the transcript when the log of what is shown has grown [H12]', () => {
    const next = live({ type: 'nodes', nodes: [agent('a', { length: 5 })], unread: 0 });
    expect(next.opened?.transcript?.length).toBe(5);
    expect(next.tree.nodes.get('a')?.length).toBe(5);
  });

  it('loads anew what misses a piece, and the inbox that has changed [H12]', () => {
    const piece = { session: 'a', turn: 0, step: 0, attempt: 0, part: 'text', at: 9, text: 'x' } as const;
    expect(live({ type: 'stream', pieces: [piece] }).opened?.want).toBe('anew');
    const still = reduce(loaded, {
      type: 'inbox',
      reply: { id: 'a', live: true, parked: false, count: 0, entries: [] },
    });
    expect(still.opened?.inboxStale).toBe(false);
    expect(live({ type: 'inbox', ids: ['a'] }, still).opened?.inboxStale).toBe(true);
    expect(live({ type: 'inbox', ids: ['b'] }, still)).toBe(still);
  });

  it('keeps what the server complains of, until it was seen [H12]', () => {
    const trouble = { type: 'diagnostic', time: 1, level: 'warning', code: 'X', message: 'm' } as const;
    const next = live(trouble, live({ ...trouble, level: 'info' }));
    expect(next.troubles).toEqual([trouble]);
    expect(reduce(next, { type: 'troubles-seen' }).troubles).toEqual([]);
  });

  it('ignores replies about what is no longer shown [H12]', () => {
    const moved = reduce(loaded, { type: 'route', route: { agent: 'b', pane: 'transcript' } });
    const late = [
      { type: 'transcript', reply: page(0, 3, 3) },
      { type: 'transcript-failed', id: 'a', sentence: 'No.' },
      { type: 'inbox', reply: { id: 'a', live: true, parked: false, count: 1, entries: [] } },
    ] as const;
    for (const event of late) expect(reduce(moved, event).opened).toEqual(moved.opened);
  });

  it('forgets what was deleted, and keeps the receipt of a deed until it is put away [H13]', () => {
    expect(live({ type: 'gone', ids: ['a'] }).tree.nodes.size).toBe(0);
    const receipt = { tone: 'good', sentence: 'Done.' } as const;
    const told = reduce(loaded, { type: 'receipt', id: 'a', receipt });
    expect(told.receipts.get('a')).toEqual(receipt);
    expect(reduce(told, { type: 'receipt', id: 'a' }).receipts.size).toBe(0);
  });
});

describe('a search', () => {
  const hit = { session: 'a', seq: 1, kind: 'human', excerpt: 'pears', at: 0, length: 5 };
  const asked = paused(typed(noSearch, 'pears & plums'));

  it('filters at once, and asks the server after a pause [H12]', () => {
    expect(searchPath(typed(noSearch, 'pears'))).toBeUndefined();
    expect(searchPath(asked)).toBe('/api/search?q=pears%20%26%20plums');
    expect(searchPath(paused(typed(noSearch, 'p')))).toBeUndefined();
    expect(typed(asked, '')).toEqual(noSearch);
  });

  it('goes on by itself until it has found enough, then when it is told to [H12]', () => {
    const path = searchPath(asked) ?? '';
    const few = found(asked, path, { hits: [hit], next: 'c1' });
    expect(searchPath(few)).toBe(`${path}&cursor=c1`);
    const enough = found(few, searchPath(few) ?? '', { hits: Array(60).fill(hit), next: 'c2' });
    expect(searchPath(enough)).toBeUndefined();
    expect(searchPath(more(enough))).toBe(`${path}&cursor=c2`);
    expect(searchPath(found(more(enough), `${path}&cursor=c2`, { hits: [] }))).toBeUndefined();
  });

  it('takes no answer to another question, and can be asked again after a failure [H12]', () => {
    const other = paused(typed(asked, 'figs'));
    expect(found(other, searchPath(asked) ?? '', { hits: [hit] })).toBe(other);
    const refused = failed(asked, searchPath(asked) ?? '', 'A search is under way.');
    expect(refused.problem).toBe('A search is under way.');
    expect(searchPath(refused)).toBeUndefined();
    expect(searchPath(paused(refused))).toBe(searchPath(asked));
  });
});
