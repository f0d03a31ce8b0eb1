/** [pure] The lines of the tree as they stand under each other: running first, ended folded. */
import type { NodeState, TreeNode } from '../wire.ts';
import { ancestorsOf, childrenIndex, type Tree } from './tree.ts';

export type TreeRow =
  | {
      readonly kind: 'agent';
      readonly key: string;
      readonly node: TreeNode;
      readonly depth: number;
      /** Absent where nothing is below it. */
      readonly open?: boolean;
      readonly position: number;
      readonly siblings: number;
    }
  /** Stands for ended siblings, and folds them. */
  | {
      readonly kind: 'ended';
      readonly key: string;
      readonly depth: number;
      readonly count: number;
      /** How many of them ended in an error. */
      readonly failed: number;
      readonly open: boolean;
      readonly position: number;
      readonly siblings: number;
    };

/** Key of a row -> what a person has chosen; what is not in it is folded by rule. */
export type Folds = ReadonlyMap<string, boolean>;

export interface RowOptions {
  readonly folds: Folds;
  readonly selected?: string | undefined;
  /** Only what has it in its label or id, and what leads there. */
  readonly filter?: string;
}

/** So many ended siblings are shown without being asked for. */
const endedShown = 3;

const ranks: Record<NodeState, number> = {
  running: 0,
  waiting: 1,
  parked: 2,
  idle: 3,
  damaged: 4,
  settled: 5,
};

export function treeRows(tree: Tree, { folds, selected, filter = '' }: RowOptions): readonly TreeRow[] {
  const children = childrenIndex(tree);
  const path = new Set(
    selected === undefined ? [] : [selected, ...ancestorsOf(tree, selected).map(({ id }) => id)],
  );
  const kept = filter === '' ? undefined : matching(tree, filter);
  const rows: TreeRow[] = [];
  const seen = new Set<string>();

  const addNode = (node: TreeNode, depth: number, place: Place): void => {
    if (seen.has(node.id)) return;
    seen.add(node.id);
    const below = (children.get(node.id) ?? []).filter(({ id }) => kept?.has(id) ?? true);
    const row = { kind: 'agent', key: node.id, node, depth, ...place } as const;
    if (below.length === 0) {
      rows.push(row);
      return;
    }
    const open =
      kept !== undefined || (folds.get(node.id) ?? (node.live || node.below.live > 0 || path.has(node.id)));
    rows.push({ ...row, open });
    if (open) addSiblings(below, node.id, depth + 1);
  };

  const addSiblings = (nodes: readonly TreeNode[], parent: string, depth: number): void => {
    const sorted = [...nodes].sort(parent === '' ? newestFirst : oldestFirst);
    const ended = sorted.filter(({ state }) => state === 'settled');
    const fold = kept === undefined && ended.length > endedShown;
    const shown = fold ? sorted.filter(({ state }) => state !== 'settled') : sorted;
    const total = shown.length + (fold ? 1 : 0);
    for (const [at, node] of shown.entries()) addNode(node, depth, { position: at + 1, siblings: total });
    if (!fold) return;
    const key = `ended:${parent}`;
    const open = folds.get(key) ?? ended.some(({ id }) => path.has(id));
    const failed = ended.filter(({ outcome }) => outcome === 'error').length;
    const place = { position: total, siblings: total };
    rows.push({ kind: 'ended', key, depth, count: ended.length, failed, open, ...place });
    if (!open) return;
    const siblings = ended.length;
    for (const [at, node] of ended.entries()) addNode(node, depth + 1, { siblings, position: at + 1 });
  };

  addSiblings(
    (children.get('') ?? []).filter(({ id }) => kept?.has(id) ?? true),
    '',
    0,
  );
  return rows;
}

interface Place {
  readonly position: number;
  readonly siblings: number;
}

/** What matches, and its ancestors. */
function matching(tree: Tree, filter: string): ReadonlySet<string> {
  const wanted = filter.toLowerCase();
  const kept = new Set<string>();
  for (const { id, label } of tree.nodes.values()) {
    if (!label.toLowerCase().includes(wanted) && !id.toLowerCase().includes(wanted)) continue;
    kept.add(id);
    for (const ancestor of ancestorsOf(tree, id)) kept.add(ancestor.id);
  }
  return kept;
}

// What was made in the same moment stays in the order of the server.
const oldestFirst = (a: TreeNode, b: TreeNode): number =>
  ranks[a.state] - ranks[b.state] || a.createdAt - b.createdAt;

const newestFirst = (a: TreeNode, b: TreeNode): number =>
  ranks[a.state] - ranks[b.state] || b.createdAt - a.createdAt;

/** The agent that a step up or down leads to; from nowhere, the first one. */
export function neighbour(
  rows: readonly TreeRow[],
  selected: string | undefined,
  step: 1 | -1,
): string | undefined {
  const ids = rows.flatMap((row) => (row.kind === 'agent' ? [row.node.id] : []));
  const at = selected === undefined ? -1 : ids.indexOf(selected);
  if (at === -1) return ids[0];
  return ids[Math.min(Math.max(at + step, 0), ids.length - 1)];
}
