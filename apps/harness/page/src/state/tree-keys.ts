/** [pure] What the arrow keys do in the tree. */
import type { TreeRow } from './tree-rows.ts';

export interface TreeStep {
  /** The row that is the current one after it. */
  readonly to: number;
  /** It is folded or unfolded. */
  readonly fold?: boolean;
  readonly enter?: true;
}

export function treeKey(key: string, rows: readonly TreeRow[], at: number): TreeStep | undefined {
  const row = rows[at];
  if (row === undefined) return undefined;
  switch (key) {
    case 'ArrowDown':
      return { to: Math.min(at + 1, rows.length - 1) };
    case 'ArrowUp':
      return { to: Math.max(at - 1, 0) };
    case 'Home':
      return { to: 0 };
    case 'End':
      return { to: rows.length - 1 };
    case 'ArrowRight':
      if (row.open === undefined) return { to: at };
      return row.open ? { to: Math.min(at + 1, rows.length - 1) } : { to: at, fold: true };
    case 'ArrowLeft':
      return row.open === true ? { to: at, fold: false } : { to: outer(rows, at) };
    case 'Enter':
    case ' ':
      return { to: at, enter: true };
    default:
      return undefined;
  }
}

/** The row that a row is below. */
function outer(rows: readonly TreeRow[], at: number): number {
  const depth = rows[at]?.depth ?? 0;
  const found = rows.slice(0, at).findLastIndex((row) => row.depth < depth);
  return found === -1 ? at : found;
}
