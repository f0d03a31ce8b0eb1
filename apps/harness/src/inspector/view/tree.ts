/**
 * [pure] The tree as the page gets it: places in order, states, and what was spent rolled up.
 * I1. Every place is shown once. A cycle of parents ends where it would close: its first place is an orphan.
 * I2. Depth is a list, not a recursion: it is bounded by memory alone.
 */
import type { TreeNode } from '../protocol.ts';
import type { Facts } from './facts.ts';
import { belowOf, liveState, type LiveFacts } from './live-state.ts';
import { addSpent, spentOf, type Prices } from './spent.ts';

/** One Session, before the tree is made of all of them. */
export interface Place {
  readonly id: string;
  /** As its header says. */
  readonly parent?: string | undefined;
  readonly child: boolean;
  readonly createdAt: number;
  readonly length: number;
  /** Its log was read as far as it goes. */
  readonly read: boolean;
  readonly facts: Facts;
  readonly problem?: TreeNode['problem'];
  /** Nothing where it is not in memory. */
  readonly live?: (Omit<LiveFacts, 'root'> & { readonly waiting: number }) | undefined;
}

export interface TreeOptions {
  readonly prices: Prices | undefined;
  /** Stored roots can be woken. */
  readonly canWake: boolean;
  readonly now: number;
  /** What the tree was before: a state that goes on goes on since then. */
  readonly before?: ReadonlyMap<string, TreeNode>;
}

export interface Tree {
  /** Roots and orphans, the newest first, each before what is below it. */
  readonly order: readonly string[];
  readonly nodes: ReadonlyMap<string, TreeNode>;
}

export function treeOf(places: ReadonlyMap<string, Place>, options: TreeOptions): Tree {
  const { order, parents, roots } = arrange(places);
  const nodes = new Map<string, TreeNode>();
  const below = new Map<string, TreeNode[]>();
  // Children come before their parents, so that each finds what is below it.
  for (const id of order.toReversed()) {
    const place = places.get(id);
    if (place === undefined) continue;
    const parent = parents.get(id);
    const children = below.get(id) ?? [];
    const node = nodeOf(place, { parent, root: roots.get(id) ?? id, children }, options);
    nodes.set(id, node);
    if (parent !== undefined) pushTo(below, parent, node);
  }
  return { order, nodes: withRootsLive(nodes) };
}

function pushTo<T>(lists: Map<string, T[]>, key: string, item: T): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [item]);
  else list.push(item);
}

interface Arranged {
  readonly order: readonly string[];
  readonly parents: ReadonlyMap<string, string>;
  readonly roots: ReadonlyMap<string, string>;
}

function arrange(places: ReadonlyMap<string, Place>): Arranged {
  const children = new Map<string, Place[]>();
  const tops: Place[] = [];
  for (const place of places.values()) {
    if (place.parent === undefined || !places.has(place.parent)) tops.push(place);
    else pushTo(children, place.parent, place);
  }
  const order: string[] = [];
  const parents = new Map<string, string>();
  const roots = new Map<string, string>();
  const walk = (top: Place): void => {
    const way: { readonly place: Place; readonly parent?: string }[] = [{ place: top }];
    for (let next = way.pop(); next !== undefined; next = way.pop()) {
      const { place, parent } = next;
      if (roots.has(place.id)) continue;
      order.push(place.id);
      roots.set(place.id, top.id);
      if (parent !== undefined) parents.set(place.id, parent);
      const under = (children.get(place.id) ?? []).toSorted(newestFirst);
      for (const child of under) way.push({ place: child, parent: place.id });
    }
  };
  for (const top of tops.toSorted(newestFirst)) walk(top);
  // What is left stands in a cycle (I1).
  for (const place of places.values()) if (!roots.has(place.id)) walk(place);
  return { order, parents, roots };
}

/** Ids grow with time, within one millisecond too. */
function newestFirst(a: Place, b: Place): number {
  return b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1);
}

interface Around {
  readonly parent: string | undefined;
  readonly root: string;
  readonly children: readonly TreeNode[];
}

function nodeOf(place: Place, { parent, root, children }: Around, options: TreeOptions): TreeNode {
  const { id, createdAt, length, read, facts, problem, live, child } = place;
  const { descriptor, outcome, damaged, turns } = facts;
  const state = stateOf(place, children);
  const spent = spentOf(facts.tokens, options.prices);
  const model = facts.model ?? descriptor?.model;
  return {
    id,
    ...(parent === undefined ? {} : { parent }),
    root,
    kind: child ? (descriptor?.mode ?? 'unknown') : problem === undefined ? 'root' : 'unknown',
    label: descriptor?.label ?? facts.words ?? '',
    ...(child && parent === undefined ? { orphan: true } : {}),
    ...(descriptor === undefined ? {} : { provider: descriptor.provider }),
    ...(model === undefined ? {} : { model }),
    state,
    since: live === undefined ? (facts.lastTime ?? createdAt) : sinceOf(id, state, options),
    createdAt,
    live: live !== undefined,
    ...(outcome === undefined ? {} : { outcome }),
    ...(problem === undefined ? {} : { problem }),
    damaged,
    length,
    turns,
    ...(facts.openTurn && live === undefined ? { openTurn: true } : {}),
    ...(read ? { spent } : {}),
    total: children.reduce((sum, { total }) => addSpent(sum, total), spent),
    below: countOf(children),
    inbox: { count: live?.waiting ?? 0, parked: live?.parked ?? false },
    can: {
      prompt: !child && problem === undefined && (live !== undefined || options.canWake),
      interrupt: live?.busy === true,
      stop: child && live !== undefined,
    },
  };
}

function stateOf({ live, problem, facts, child }: Place, children: readonly TreeNode[]): TreeNode['state'] {
  if (live !== undefined) {
    const states = children.filter((one) => one.live).map(({ state }) => state);
    return liveState({ ...live, root: !child }, belowOf(states));
  }
  return problem !== undefined || facts.damaged > 0 ? 'damaged' : 'settled';
}

function sinceOf(id: string, state: TreeNode['state'], { before, now }: TreeOptions): number {
  const past = before?.get(id);
  return past?.live === true && past.state === state ? past.since : now;
}

function countOf(children: readonly TreeNode[]): TreeNode['below'] {
  let count = children.length;
  let live = 0;
  for (const child of children) {
    count += child.below.count;
    live += child.below.live + (child.live ? 1 : 0);
  }
  return { count, live };
}

/** A continuable child can be written to while its root is live. */
function withRootsLive(nodes: ReadonlyMap<string, TreeNode>): ReadonlyMap<string, TreeNode> {
  const done = new Map<string, TreeNode>();
  for (const [id, node] of nodes) {
    const prompt = node.kind === 'continuable' && node.orphan !== true && nodes.get(node.root)?.live === true;
    done.set(id, prompt ? { ...node, can: { ...node.can, prompt } } : node);
  }
  return done;
}

/**
 * The places of the tree, at most `most`. Whole trees are left out: live ones never, and of the others those that
 * were made first.
 */
export function bounded(
  { order, nodes }: Tree,
  most: number,
): { nodes: readonly TreeNode[]; omitted: number } {
  const all = order.flatMap((id) => nodes.get(id) ?? []);
  if (all.length <= most) return { nodes: all, omitted: 0 };
  const alive = (root: string): boolean => {
    const top = nodes.get(root);
    return top !== undefined && (top.live || top.below.live > 0);
  };
  let room = most - all.filter(({ root }) => alive(root)).length;
  const kept = new Set<string>();
  for (const { root } of all) {
    if (kept.has(root)) continue;
    const size = 1 + (nodes.get(root)?.below.count ?? 0);
    if (!alive(root) && (room -= size) < 0) break;
    kept.add(root);
  }
  const shown = all.filter(({ root }) => kept.has(root) || alive(root));
  return { nodes: shown, omitted: all.length - shown.length };
}
