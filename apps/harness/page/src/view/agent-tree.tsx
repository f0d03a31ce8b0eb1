/**
 * The tree of agents. Only the rows in view are in the document, so the tree keeps the focus, and names the row that
 * the keys move from.
 */
import { useCallback, useMemo, useRef, type JSX, type KeyboardEvent } from 'react';
import { rowWindow } from '../state/row-window.ts';
import { treeKey } from '../state/tree-keys.ts';
import { treeRows, type TreeRow } from '../state/tree-rows.ts';
import { usePart, useProgram } from './program-context.ts';
import { AgentRow, rowId } from './agent-row.tsx';
import { useBox } from './use-box.ts';
import { useTreeCursor } from './use-tree-cursor.ts';

/** As `--row` in tree.css. */
const rowHeight = 36;

export function AgentTree(): JSX.Element {
  const { dispatch, go, get } = useProgram();
  const tree = usePart((state) => state.tree);
  const folds = usePart((state) => state.folds);
  const selected = usePart(({ route }) => route.agent);
  const filter = usePart((state) => state.search.text).trim();
  const rows = useMemo(() => treeRows(tree, { folds, selected, filter }), [tree, folds, selected, filter]);
  const scroller = useRef<HTMLDivElement>(null);
  const { top, height } = useBox(scroller);
  const { at, move } = useTreeCursor(scroller, rowHeight, rows, selected);
  const open = useCallback(
    (row: TreeRow): void => {
      move(row.key);
      const { pane } = get().route;
      if (row.kind === 'ended') dispatch({ type: 'fold', key: row.key, open: !row.open });
      else go({ agent: row.node.id, pane: pane === 'sequence' ? pane : 'transcript' });
    },
    [move, dispatch, go, get],
  );
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = treeKey(event.key, rows, at);
    const row = step === undefined ? undefined : rows[step.to];
    if (step === undefined || row === undefined) return;
    event.preventDefault();
    move(row.key);
    if (step.fold !== undefined) dispatch({ type: 'fold', key: row.key, open: step.fold });
    if (step.enter === true) open(row);
  };
  const current = rows[at]?.key;
  const shown = rowWindow(rows.length, rowHeight, top, height);
  return (
    <div
      className="tree"
      role="tree"
      aria-label="Tree of agents"
      tabIndex={0}
      ref={scroller}
      onKeyDown={onKeyDown}
      aria-activedescendant={current === undefined ? undefined : rowId(current)}
    >
      {rows.length === 0 && (
        <p className="empty">
          {filter === '' ? 'There are no agents yet.' : 'No agent has this in its name.'}
        </p>
      )}
      <div className="tree-space" role="presentation" style={{ height: rows.length * rowHeight }}>
        {rows.slice(shown.first, shown.end).map((row, index) => (
          <AgentRow
            key={row.key}
            row={row}
            top={(shown.first + index) * rowHeight}
            selected={row.key === selected}
            current={row.key === current}
            open={open}
          />
        ))}
      </div>
    </div>
  );
}
