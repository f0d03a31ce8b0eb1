/** [pure] A tree of Sessions as lines. */
import type { Paint } from './colours.ts';
import { terminalLine } from './terminal-safe.ts';

export interface TreeNode {
  readonly id: string;
  /** 0 for the root. In pre-order. */
  readonly depth: number;
  readonly label: string;
  readonly state: string;
}

export function treePicture(nodes: readonly TreeNode[], paint: Paint): readonly string[] {
  return nodes.map(({ id, depth, label, state }, at) => {
    const branch = depth === 0 ? '' : `${stems(nodes, at)}${isLast(nodes, at, depth) ? '└─ ' : '├─ '}`;
    return `${branch}${paint('bold', terminalLine(label))}  ${terminalLine(state)}  ${paint('dim', terminalLine(id))}`;
  });
}

/** What stands before the branch of a node: a stem for each level above that goes on below. */
function stems(nodes: readonly TreeNode[], at: number): string {
  const { depth = 0 } = nodes[at] ?? {};
  let text = '';
  for (let level = 1; level < depth; level += 1) text += isLast(nodes, at, level) ? '   ' : '│  ';
  return text;
}

/** Whether nothing more stands at `level` under the same parent. */
function isLast(nodes: readonly TreeNode[], at: number, level: number): boolean {
  for (const { depth } of nodes.slice(at + 1)) {
    if (depth < level) return true;
    if (depth === level) return false;
  }
  return true;
}
