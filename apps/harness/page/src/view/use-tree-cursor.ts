/** The row of the tree that the keys move from. It is in view when it changes, and left alone when the tree does. */
import { useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react';
import { scrollToRow } from '../state/row-window.ts';
import type { TreeRow } from '../state/tree-rows.ts';

interface TreeCursor {
  /** Its place among the rows. */
  readonly at: number;
  readonly move: (key: string) => void;
}

export function useTreeCursor(
  scroller: RefObject<HTMLElement | null>,
  rowHeight: number,
  rows: readonly TreeRow[],
  selected: string | undefined,
): TreeCursor {
  const [cursor, setCursor] = useState(selected);
  const at = Math.max(
    0,
    rows.findIndex(({ key }) => key === (cursor ?? selected)),
  );
  const place = useRef(at);
  useEffect(() => {
    setCursor(selected);
  }, [selected]);
  useLayoutEffect(() => {
    place.current = at;
  }, [at]);
  useLayoutEffect(() => {
    const box = scroller.current;
    if (box !== null) box.scrollTop = scrollToRow(place.current, rowHeight, box.scrollTop, box.clientHeight);
  }, [cursor, selected, scroller, rowHeight]);
  return { at, move: setCursor };
}
