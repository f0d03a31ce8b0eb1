import type { SessionRecord } from '@deepseek-ai/dsh-session';
import { describe, expect, it } from 'vitest';
import { foldRecord, noFacts, type Facts } from '../../src/inspector/view/facts.ts';
import { belowOf, liveState } from '../../src/inspector/view/live-state.ts';
import { spentOf } from '../../src/inspector/view/spent.ts';
import { bounded, treeOf, type Place, type TreeOptions } from '../../src/inspector/view/tree.ts';

function record(type: string, data: unknown, time = 1): SessionRecord {
  return { kind: 'event', event: { seq: 0, time, type, data } } as unknown as SessionRecord;
}

const tokens = (input: number, output: number) => ({ input, output, cachedInput: 0, reasoning: 0 });
const options: TreeOptions = { prices: undefined, canWake: false, now: 1_000 };
const resting = { busy: false, pending: false, parked: false, waiting: 0 };
const descriptor = { label: 'pears', provider: 'spawn', mode: 'continuable', model: 'a/b' } as const;

function place(id: string, more: Partial<Place> = {}): Place {
  const child = more.parent !== undefined;
  const facts: Facts = { ...noFacts, ...(child ? { descriptor } : {}), ...more.facts };
  return { id, child, createdAt: 0, length: 1, read: true, ...more, facts };
}

const places = (...all: readonly Place[]): ReadonlyMap<string, Place> =>
  new Map(all.map((one) => [one.id, one]));

describe('what a log says of its Session', () => {
  const answer = (model: string, inputTokens: number) =>
    record('assistant/message', { model, usage: { inputTokens, outputTokens: 1 }, content: [] }, 9);
  const said = (kind: string, text: string) =>
    record('user/message', { source: { kind }, content: [{ type: 'text', text }] });

  it('is its turns, its tokens by model, its first words and its outcome [H12]', () => {
    const log = [
      record('subagent/descriptor', { version: 1, value: descriptor }),
      record('turn/start', { turn: 1 }),
      said('agent-message', 'Not these.'),
      said('user', '  Compare\n pears. '),
      said('user', 'Not these either.'),
      answer('a/b', 10),
      answer('c/d', 20),
      answer('a/b', 30),
      record('turn/end', { turn: 1, reason: { kind: 'completed' } }),
      record('subagent/ended', { outcome: 'completed' }, 12),
    ];
    expect(log.reduce(foldRecord, noFacts)).toEqual({
      turns: 1,
      openTurn: false,
      damaged: 0,
      lastTime: 12,
      words: 'Compare pears.',
      model: 'a/b',
      outcome: 'completed',
      tokens: { 'a/b': tokens(40, 2), 'c/d': tokens(20, 1) },
      descriptor,
    });
  });

  it('counts what is damaged, and an outcome counts until the next turn [H12]', () => {
    const log: readonly SessionRecord[] = [
      record('subagent/ended', { outcome: 'error' }),
      { kind: 'damaged', reason: 'x', bytes: 1 },
      record('turn/start', { turn: 2 }),
    ];
    expect(log.reduce(foldRecord, noFacts)).toMatchObject({ damaged: 1, openTurn: true, outcome: undefined });
  });

  it.each([
    [undefined],
    [{ value: null }],
    [{ value: { label: 3, mode: 'continuable' } }],
    [{ value: { mode: 'x' } }],
  ])('is no worse for the descriptor %j of another program [H12]', (data) => {
    expect(() => foldRecord(noFacts, record('subagent/descriptor', data ?? {}))).not.toThrow();
  });

  it('is bounded, however many models a log names [H12]', () => {
    let facts = noFacts;
    for (let at = 0; at < 100; at += 1) facts = foldRecord(facts, answer(`__proto__${at}`, 1));
    expect(Object.keys(facts.tokens).length).toBeLessThan(40);
    expect(spentOf(facts.tokens, undefined).tokens.input).toBe(100);
  });
});

describe('what was spent', () => {
  const prices = { 'a/b': { input: 2, output: 10 }, 'c/d': { input: 1, output: 1, cachedInput: 0.1 } };
  it.each([
    ['no prices', { 'a/b': tokens(1, 1) }, undefined, undefined],
    ['nothing', {}, prices, 0],
    ['one model', { 'a/b': tokens(1_000_000, 500_000) }, prices, 7],
    ['what was cached', { 'c/d': { ...tokens(1_000_000, 0), cachedInput: 500_000 } }, prices, 0.55],
    ['a model without a price', { 'a/b': tokens(1, 1), x: tokens(1, 1) }, prices, undefined],
    ['a model by the name of a method', { toString: tokens(1, 1) }, prices, undefined],
  ])('costs what the prices say of %s [H12]', (_what, byModel, given, cost) => {
    expect(spentOf(byModel, given).cost).toBe(cost);
  });
});

describe('the state of a Session', () => {
  it.each([
    ['running', { busy: true }, 'nothing'],
    ['running', { busy: true, parked: true }, 'active'],
    ['running', { pending: true }, 'nothing'],
    ['waiting', {}, 'active'],
    ['waiting', { pending: true, parked: true }, 'active'],
    ['parked', { pending: true, parked: true }, 'nothing'],
    ['parked', {}, 'parked'],
    ['idle', {}, 'nothing'],
  ] as const)('is %s with %j and %s below [H12]', (state, facts, below) => {
    expect(liveState({ ...resting, root: true, ...facts }, below)).toBe(state);
  });

  it('takes parked children for no work [H12]', () => {
    expect(belowOf([])).toBe('nothing');
    expect(belowOf(['parked', 'parked'])).toBe('parked');
    expect(belowOf(['parked', 'waiting'])).toBe('active');
  });
});

describe('the tree', () => {
  const spent = (input: number): Partial<Place> => ({
    facts: { ...noFacts, descriptor, tokens: { m: tokens(input, 0) } },
  });

  it('has roots the newest first, children in their order, and sums up what is below [H12]', () => {
    const tree = treeOf(
      places(
        place('old', { createdAt: 1, ...spent(1) }),
        place('new', { createdAt: 2, ...spent(2) }),
        place('b', { parent: 'old', createdAt: 6, ...spent(4), live: { ...resting, busy: true } }),
        place('a', { parent: 'old', createdAt: 5, ...spent(8) }),
        place('deep', { parent: 'b', createdAt: 7, ...spent(16), live: resting }),
      ),
      options,
    );
    expect(tree.order).toEqual(['new', 'old', 'a', 'b', 'deep']);
    expect(tree.nodes.get('old')).toMatchObject({
      root: 'old',
      below: { count: 3, live: 2 },
      total: { tokens: { input: 29 } },
      spent: { tokens: { input: 1 } },
    });
    expect(tree.nodes.get('deep')).toMatchObject({ root: 'old', parent: 'b', kind: 'continuable' });
  });

  it('keeps a child whose parent is gone, and ends a cycle of parents [H12]', () => {
    const tree = treeOf(
      places(place('lost', { parent: 'gone' }), place('x', { parent: 'y' }), place('y', { parent: 'x' })),
      options,
    );
    expect(tree.nodes.get('lost')).toMatchObject({ orphan: true, root: 'lost' });
    expect(tree.order.toSorted()).toEqual(['lost', 'x', 'y']);
    expect(tree.nodes.get('y')).toMatchObject({ root: 'x', parent: 'x' });
  });

  it('stands a chain of ten thousand children [H12]', () => {
    const chain = Array.from({ length: 10_000 }, (_, at) =>
      place(`c${at}`, at === 0 ? {} : { parent: `c${at - 1}`, createdAt: at }),
    );
    expect(treeOf(places(...chain), options).nodes.get('c0')?.below.count).toBe(9_999);
  });

  it('says what a person can do: prompt while the root is live, interrupt a turn, stop a child [H13]', () => {
    const live = { ...resting, busy: true };
    const all = (rootLive: boolean, canWake = false) =>
      treeOf(
        places(
          place('root', rootLive ? { live } : {}),
          place('kid', { parent: 'root', live }),
          place('gone', { parent: 'root' }),
          place('once', {
            parent: 'root',
            facts: { ...noFacts, descriptor: { ...descriptor, mode: 'one-shot' } },
          }),
        ),
        { ...options, canWake },
      ).nodes;
    const can = (prompt: boolean, interrupt: boolean, stop: boolean) => ({
      can: { prompt, interrupt, stop },
    });
    expect(all(true).get('root')).toMatchObject(can(true, true, false));
    expect(all(true).get('kid')).toMatchObject(can(true, true, true));
    expect(all(true).get('gone')).toMatchObject(can(true, false, false));
    expect(all(true).get('once')).toMatchObject(can(false, false, false));
    expect(all(false).get('root')).toMatchObject(can(false, false, false));
    expect(all(false).get('gone')).toMatchObject(can(false, false, false));
    expect(all(false, true).get('root')).toMatchObject(can(true, false, false));
  });

  it('dates a state from when it began [H12]', () => {
    const at = (now: number, before: Partial<TreeOptions>, busy: boolean) =>
      treeOf(places(place('root', { live: { ...resting, busy } })), { ...options, now, ...before });
    const first = at(10, {}, true);
    const same = at(20, { before: first.nodes }, true);
    const other = at(30, { before: same.nodes }, false);
    const since = [first, same, other].map(({ nodes }) => nodes.get('root')?.since);
    expect(since).toEqual([10, 10, 30]);
    const stored = place('root', { createdAt: 3, facts: { ...noFacts, lastTime: 7 } });
    expect(treeOf(places(stored), options).nodes.get('root')?.since).toBe(7);
  });

  it('shows what cannot be read as damaged, and a turn without an end as open [H12]', () => {
    const problem = { code: 'DAMAGED_LOG', message: 'no header' };
    const tree = treeOf(
      places(
        place('broken', { problem }),
        place('hurt', { facts: { ...noFacts, damaged: 2 } }),
        place('open', { facts: { ...noFacts, openTurn: true } }),
      ),
      options,
    );
    expect(tree.nodes.get('broken')).toMatchObject({ state: 'damaged', kind: 'unknown', problem });
    expect(tree.nodes.get('hurt')).toMatchObject({ state: 'damaged', damaged: 2 });
    expect(tree.nodes.get('open')).toMatchObject({ state: 'settled', openTurn: true });
  });

  it('leaves whole old trees out where there are too many, and live ones never [H12]', () => {
    const trees = [1, 2, 3].flatMap((n) => [
      place(`r${n}`, { createdAt: n }),
      place(`k${n}`, { parent: `r${n}`, createdAt: n, ...(n === 1 ? { live: resting } : {}) }),
    ]);
    const tree = treeOf(places(...trees), options);
    expect(bounded(tree, 6).omitted).toBe(0);
    const some = bounded(tree, 5);
    expect(some.nodes.map(({ id }) => id)).toEqual(['r3', 'k3', 'r1', 'k1']);
    expect(some.omitted).toBe(2);
  });
});
