/** A stored tree, with what is live in it, as the nodes of a picture. */
import type { SessionId } from '@deepseek-ai/dsh-session';
import type { DescendantEntry, SubagentRuntime } from '@deepseek-ai/dsh-subagents';
import type { TreeNode } from '../output/tree-picture.ts';

export async function treeNodes(
  { subagents }: { readonly subagents: Pick<SubagentRuntime, 'listDescendants'> },
  root: SessionId,
  state = '',
): Promise<readonly TreeNode[]> {
  const entries: DescendantEntry[] = [];
  for await (const entry of subagents.listDescendants(root)) entries.push(entry);
  const top = Math.min(1, ...entries.map(({ depth }) => depth));
  return [
    { id: root, depth: 0, label: 'root', state },
    ...entries.map((entry) => ({
      id: entry.id,
      depth: entry.depth - top + 1,
      label: entry.kind === 'problem' ? '?' : entry.label,
      state: stateOf(entry),
    })),
  ];
}

function stateOf(entry: DescendantEntry): string {
  if (entry.kind === 'problem') return `cannot be read: ${entry.code}`;
  return entry.live?.condition ?? (entry.lastOutcome === undefined ? 'ended' : `ended: ${entry.lastOutcome}`);
}
