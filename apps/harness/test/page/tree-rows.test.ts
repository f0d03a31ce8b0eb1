import { describe, expect, it } from 'vitest';
import {
  ancestorsOf,
  descendantsOf,
  treeOf,
  withNodes,
  withoutNodes,
  type Tree,
} from '../../page/src/state/tree.ts';
import { treeKey } from '../../page/src/state/tree-keys.ts';
import { neighbour, treeRows, type RowOptions } from '../../page/src/state/tree-rows.ts';
import { rowWindow, scrollToRow } from '../../page/src/state/row-window.ts';
import { agent, stateOf } from './nodes.ts';

const live = agent('root', { state: 'waiting', live: true, below: { count: 9, live: 2 } });
const child = (id: string, state: 'running' | 'settled' | 'damaged' | 'parked', more = {}) =>
  agent(id, { parent: 'root', state, live: state === 'running' || state === 'parked', ...more });

const draw = (tree: Tree, options: Partial<RowOptions> = {}): readonly string[] =>
  treeRows(tree, { folds: new Map(), ...options }).map((row) => {
    const mark = row.open === undefined ? ' ' : row.open ? '-' : '+';
    return `${'  '.repeat(row.depth)}${mark}${row.kind === 'agent' ? row.node.id : `${row.count} ended`}`;
  });

const ended = (count: number) =>
  Array.from({ length: count }, (_, at) => child(`e${at}`, 'settled', { createdAt: at }));
const many = treeOf(
  stateOf([live, ...ended(5), child('bad', 'damaged'), child('wait', 'parked'), child('run', 'running')]),
);

describe('the rows of the tree', () => {
  it('have what runs first, what waits next, and fold what has ended [H12]', () => {
    expect(draw(many)).toEqual(['-root', '   run', '   wait', '   bad', '  +5 ended']);
  });

  it('say how many of the folded ones failed [H12]', () => {
    const failed = ended(4).map((node, at) => ({ ...node, outcome: at === 0 ? 'error' : 'completed' }));
    const fold = treeRows(treeOf(stateOf([live, ...failed])), { folds: new Map() }).at(-1);
    expect(fold).toMatchObject({ kind: 'ended', count: 4, failed: 1 });
  });

  it('show a few ended ones without being asked [H12]', () => {
    expect(draw(treeOf(stateOf([live, ...ended(3)])))).toEqual(['-root', '   e0', '   e1', '   e2']);
  });

  it('unfold what leads to the one that is chosen, and what a person has unfolded [H12]', () => {
    expect(draw(many, { selected: 'e3' })).toContain('     e3');
    expect(draw(many, { folds: new Map([['ended:root', true]]) })).toContain('     e0');
    expect(draw(many, { folds: new Map([['root', false]]) })).toEqual(['+root']);
  });

  it('hold what matches a filter, and what leads there [H12]', () => {
    expect(draw(many, { filter: 'E4' })).toEqual(['-root', '   e4']);
    expect(draw(many, { filter: 'nobody' })).toEqual([]);
  });

  it('put live roots before ended ones, and the newest ended one first; ended trees are folded [H12]', () => {
    const old = agent('old', { state: 'settled', createdAt: 1, below: { count: 1, live: 0 } });
    const under = agent('under', { parent: 'old', state: 'settled' });
    const newer = agent('newer', { state: 'settled', createdAt: 2 });
    const tree = treeOf(stateOf([old, under, newer, live]));
    expect(draw(tree)).toEqual([' root', ' newer', '+old']);
    expect(draw(tree, { selected: 'old' })).toEqual([' root', ' newer', '-old', '   under']);
  });

  it('survive parents that are gone and circles of parents [H12]', () => {
    const lost = agent('lost', { parent: 'nobody', state: 'settled', orphan: true });
    const [a, b] = [agent('a', { parent: 'b' }), agent('b', { parent: 'a' })];
    const tree = treeOf(stateOf([lost, a, b, agent('self', { parent: 'self' })]));
    expect(draw(tree)).toEqual(expect.arrayContaining([' lost', ' self']));
    expect(ancestorsOf(tree, 'a').map(({ id }) => id)).toEqual(['b']);
    expect(descendantsOf(tree, 'a').map(({ id }) => id)).toEqual(['b']);
  });

  it('change with the nodes that an event brings, and those that it takes [H12]', () => {
    const next = withNodes(many, [child('run', 'settled')], 2);
    expect(draw(next)).toEqual(['-root', '   wait', '   bad', '  +6 ended']);
    expect(next.unread).toBe(2);
    expect(draw(withoutNodes(next, ['wait', 'bad']))).toEqual(['-root', '  +6 ended']);
  });
});

describe('keys in the tree', () => {
  const rows = treeRows(many, { folds: new Map() });
  it.each([
    ['ArrowDown', 0, { to: 1 }],
    ['ArrowDown', 4, { to: 4 }],
    ['ArrowUp', 0, { to: 0 }],
    ['End', 0, { to: 4 }],
    ['Home', 3, { to: 0 }],
    ['ArrowRight', 4, { to: 4, fold: true }],
    ['ArrowRight', 0, { to: 1 }],
    ['ArrowRight', 1, { to: 1 }],
    ['ArrowLeft', 0, { to: 0, fold: false }],
    ['ArrowLeft', 2, { to: 0 }],
    ['Enter', 2, { to: 2, enter: true }],
    ['x', 2, undefined],
  ] as const)('%s on row %i moves, folds or opens [H12]', (key, at, step) => {
    expect(treeKey(key, rows, at)).toEqual(step);
  });

  it.each([
    ['root', 1, 'run'],
    ['bad', 1, 'bad'],
    ['root', -1, 'root'],
    [undefined, 1, 'root'],
    ['not shown', -1, 'root'],
  ] as const)('from %s a step of %i leads to %s [H12]', (from, step, to) => {
    expect(neighbour(rows, from, step)).toBe(to);
  });
});

describe('the rows in view', () => {
  it.each([
    [500, 0, 360, { first: 0, end: 18 }],
    [500, 3_600, 360, { first: 92, end: 118 }],
    [5, 0, 360, { first: 0, end: 5 }],
    [5, 9_000, 360, { first: 0, end: 5 }],
    [0, 0, 360, { first: 0, end: 0 }],
  ])('of %i, scrolled by %i in a window of %i, are few [H12]', (count, top, height, shown) => {
    expect(rowWindow(count, 36, top, height)).toEqual(shown);
  });

  it.each([
    [0, 100, 0],
    [3, 100, 100],
    [20, 100, 396],
  ])('scroll to row %i from %i only where it is out of view [H12]', (row, top, to) => {
    expect(scrollToRow(row, 36, top, 360)).toBe(to);
  });
});
