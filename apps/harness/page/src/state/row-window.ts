/** [pure] Which of many equally high rows are worth rendering. */

export interface RowWindow {
  readonly first: number;
  /** One after the last. */
  readonly end: number;
}

/** Some more than are in view, so that a quick scroll shows no gap. */
const margin = 8;

export function rowWindow(count: number, height: number, top: number, viewport: number): RowWindow {
  const first = Math.max(0, Math.min(Math.floor(top / height), count) - margin);
  const end = Math.min(count, Math.ceil((top + viewport) / height) + margin);
  return { first, end: Math.max(first, end) };
}

/** Where to scroll so that a row is in view; `top` itself where it is already. */
export function scrollToRow(row: number, height: number, top: number, viewport: number): number {
  if (row * height < top) return row * height;
  if ((row + 1) * height > top + viewport) return (row + 1) * height - viewport;
  return top;
}
