/** [pure] The Sessions that are known, and who is below whom. */
import type { StateReply, TreeNode } from '../wire.ts';

export interface Tree {
  readonly nodes: ReadonlyMap<string, TreeNode>;
  /** Logs that were not read yet. */
  readonly unread: number;
  /** Nodes that the server left out. */
  readonly omitted: number;
}

export const emptyTree: Tree = { nodes: new Map(), unread: 0, omitted: 0 };

export function treeOf({ nodes, unread, omitted }: StateReply): Tree {
  return { nodes: new Map(nodes.map((node) => [node.id, node])), unread, omitted };
}

export function withNodes(tree: Tree, changed: readonly TreeNode[], unread: number): Tree {
  const nodes = new Map(tree.nodes);
  for (const node of changed) nodes.set(node.id, node);
  return { ...tree, nodes, unread };
}

export function withoutNodes(tree: Tree, ids: readonly string[]): Tree {
  const nodes = new Map(tree.nodes);
  for (const id of ids) nodes.delete(id);
  return { ...tree, nodes };
}

/** The parent, where it is in the tree. A child of an unknown parent stands at the top. */
export function parentOf(tree: Tree, node: TreeNode): TreeNode | undefined {
  return node.parent === undefined || node.parent === node.id ? undefined : tree.nodes.get(node.parent);
}

/** From the direct parent upwards. A cycle, which no honest log has, ends it. */
export function ancestorsOf(tree: Tree, id: string): readonly TreeNode[] {
  const found: TreeNode[] = [];
  const seen = new Set([id]);
  let node = tree.nodes.get(id);
  while (node !== undefined) {
    node = parentOf(tree, node);
    if (node === undefined || seen.has(node.id)) break;
    seen.add(node.id);
    found.push(node);
  }
  return found;
}

/** Everything below, parents first. */
export function descendantsOf(tree: Tree, id: string): readonly TreeNode[] {
  const children = childrenIndex(tree);
  const found: TreeNode[] = [];
  const seen = new Set([id]);
  const queue = [id];
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    for (const child of children.get(next) ?? []) {
      if (seen.has(child.id)) continue;
      seen.add(child.id);
      found.push(child);
      queue.push(child.id);
    }
  }
  return found;
}

/** Parent id -> its children; `''` -> what stands at the top. */
export function childrenIndex(tree: Tree): ReadonlyMap<string, readonly TreeNode[]> {
  const index = new Map<string, TreeNode[]>();
  for (const node of tree.nodes.values()) {
    const key = parentOf(tree, node)?.id ?? '';
    const siblings = index.get(key);
    if (siblings === undefined) index.set(key, [node]);
    else siblings.push(node);
  }
  return index;
}
