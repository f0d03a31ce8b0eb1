/** [pure] Where the lanes and the words of the picture of a sequence are, in pixels. */

/** Of one message. */
export const rowHeight = 44;
/** For the times, at the left. */
export const timeColumn = 76;

const widest = 190;
/** Room for a name that lies. */
const roomy = 96;
/** Room for a name that stands upright. */
const narrowest = 34;

/** Of one letter, about. */
const letter = 6.6;
const longestWords = 80;
/** Over a longer arrow the middle may be out of view. */
const shortArrow = 420;

export interface Lanes {
  readonly width: number;
  /** Names stand upright: there are many lanes. */
  readonly upright: boolean;
}

/** The lanes share the width. Where that is too little for their names these stand upright, down to a least width. */
export function lanesOf(width: number, count: number): Lanes {
  const share = Math.floor((width - timeColumn - 8) / Math.max(1, count));
  if (share >= roomy) return { width: Math.min(share, widest), upright: false };
  // A few narrow lanes with names that lie are better than as many that scroll, and worse than names upright.
  return { width: Math.max(narrowest, share), upright: true };
}

export interface Words {
  readonly x: number;
  readonly anchor: 'start' | 'middle' | 'end';
  /** So many letters have room. */
  readonly most: number;
}

/**
 * The words of an arrow from `left` to `right` in a picture that is `width` wide: in the middle of a short arrow, or
 * from its left end on, or to its right end. Nothing else is in its row.
 */
export function wordsPlace(
  length: number,
  { left, right, width }: { readonly left: number; readonly right: number; readonly width: number },
): Words {
  const fits = (room: number): number =>
    Math.max(10, Math.min(longestWords, Math.floor((room - 16) / letter)));
  const span = right - left;
  if (span < shortArrow && length <= fits(span))
    return { x: left + span / 2, anchor: 'middle', most: length };
  const [after, before] = [fits(width - left), fits(right)];
  return after >= Math.min(before, length)
    ? { x: left + 8, anchor: 'start', most: after }
    : { x: right - 8, anchor: 'end', most: before };
}
