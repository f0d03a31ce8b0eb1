/** One line of the tree. */
import { memo, type CSSProperties, type JSX, type MouseEvent } from 'react';
import { count, counted } from '../state/format.ts';
import { kinship, nameOf, stateWord } from '../state/words.ts';
import type { TreeRow } from '../state/tree-rows.ts';
import { Icon } from './icons.tsx';
import { useProgram } from './program-context.ts';
import { StateMark } from './state-mark.tsx';

interface AgentRowProps {
  readonly row: TreeRow;
  readonly top: number;
  readonly selected: boolean;
  /** The keys move from here. */
  readonly current: boolean;
  readonly open: (row: TreeRow) => void;
}

/** For `aria-activedescendant`; the id of an agent may have any characters. */
export const rowId = (key: string): string => `row-${encodeURIComponent(key)}`;

export const AgentRow = memo(function AgentRow({
  row,
  top,
  selected,
  current,
  open,
}: AgentRowProps): JSX.Element {
  const { dispatch } = useProgram();
  const fold = (event: MouseEvent): void => {
    event.stopPropagation();
    dispatch({ type: 'fold', key: row.key, open: row.open !== true });
  };
  const place = { '--top': `${top}px`, '--indent': `${indentOf(row.depth)}px` } as CSSProperties;
  return (
    <div
      id={rowId(row.key)}
      className={`tree-row${selected ? ' selected' : ''}${current ? ' current' : ''}`}
      style={place}
      role="treeitem"
      aria-level={row.depth + 1}
      aria-posinset={row.position}
      aria-setsize={row.siblings}
      aria-expanded={row.open}
      aria-selected={selected}
      aria-label={rowLabel(row)}
      onClick={() => {
        open(row);
      }}
    >
      <span
        className={`fold${row.open === true ? ' open' : ''}`}
        onClick={row.open === undefined ? undefined : fold}
      >
        {row.open !== undefined && <Icon name="open" />}
      </span>
      {row.kind === 'ended' ? (
        <span className="ended-word">
          {count(row.count)} ended
          {row.failed > 0 && <span className="ended-failed">{count(row.failed)} failed</span>}
        </span>
      ) : (
        <AgentWords row={row} />
      )}
    </div>
  );
});

/** Deep down each step is a smaller one: a name needs room too. */
function indentOf(depth: number): number {
  return Math.min(depth, 4) * 14 + Math.min(Math.max(0, depth - 4), 12) * 6;
}

function AgentWords({ row }: { readonly row: Extract<TreeRow, { kind: 'agent' }> }): JSX.Element {
  const { node } = row;
  const waits = node.inbox.count;
  return (
    <>
      <bdi className="tree-name" title={nameOf(node, node.id)}>
        {nameOf(node, node.id)}
      </bdi>
      {waits > 0 && (
        <span className="badge" title={`${counted(waits, 'message')} in its inbox`}>
          <Icon name="inbox" />
          {count(waits)}
        </span>
      )}
      {row.open === false && (
        <span className="below" title="Agents below it">
          {count(node.below.count)}
        </span>
      )}
      <StateMark node={node} small />
    </>
  );
}

function rowLabel(row: TreeRow): string {
  if (row.kind === 'ended')
    return `${counted(row.count, 'ended agent')}${row.failed > 0 ? `, ${count(row.failed)} failed` : ''}`;
  const { node } = row;
  const waits = node.inbox.count > 0 ? `, ${counted(node.inbox.count, 'message')} in its inbox` : '';
  const below = node.below.count > 0 ? `, ${counted(node.below.count, 'agent')} below it` : '';
  return `${nameOf(node, node.id)}, ${node.kind === 'root' ? kinship(node, undefined) : 'child'}, ${stateWord(node)}${waits}${below}`;
}
