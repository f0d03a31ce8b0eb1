/** The state of an agent: a shape, a word and a colour that say the same. */
import type { JSX } from 'react';
import { stateMeanings, stateWord } from '../state/words.ts';
import type { TreeNode } from '../wire.ts';
import { Icon, type IconName } from './icons.tsx';

function stateIcon({ state, outcome }: Pick<TreeNode, 'state' | 'outcome'>): IconName {
  return state === 'settled' && outcome !== undefined && outcome !== 'completed' ? 'ended' : state;
}

function tone({ state, outcome }: Pick<TreeNode, 'state' | 'outcome'>): string {
  return state === 'settled' && outcome === 'error' ? 'failed' : state;
}

export function StateMark({
  node,
  small = false,
}: {
  readonly node: TreeNode;
  readonly small?: boolean;
}): JSX.Element {
  return (
    <span
      className={`state state-${tone(node)}${small ? ' small' : ''}`}
      title={node.problem?.message ?? stateMeanings[node.state]}
    >
      <Icon name={stateIcon(node)} />
      <span>{stateWord(node)}</span>
    </span>
  );
}
