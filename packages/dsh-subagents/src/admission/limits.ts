/**
 * [pure] How many children a tree may have (M46).
 * I1. A start needs a place among the living and one of all that were ever started; a resumption only the first.
 * I2. Starts take their places in the order in which they asked: one that is undone gives its place to the next.
 */

export interface TreeLimits {
  /** Of one tree, at any moment. */
  readonly maxLive?: number | undefined;
  /** Of one tree, ever. */
  readonly maxTotal?: number | undefined;
}

export type LimitName = keyof TreeLimits;

export interface Refusal {
  readonly limit: LimitName;
  /** What is there already. */
  readonly count: number;
  readonly most: number;
}

export interface TreeCounts {
  readonly live: number;
  /** Started ever, or about to be. `undefined`: it counts as live and not as new. */
  readonly total?: number | undefined;
}

/** Why one more would be too many; `undefined` where it would not. What is no number allows nothing. */
export function refusalOf(limits: TreeLimits, { live, total }: TreeCounts): Refusal | undefined {
  return tooMany('maxLive', live, limits.maxLive) ?? tooMany('maxTotal', total, limits.maxTotal);
}

function tooMany(limit: LimitName, count: number | undefined, most: number | undefined): Refusal | undefined {
  if (count === undefined || most === undefined || count < most) return undefined;
  return { limit, count, most };
}

/** Starts that were accepted, and those that hold a place until they are. */
export interface StartPlaces {
  /** Accepted ever, before this process too. */
  accepted: number;
  /** In the order in which they asked. */
  readonly asked: Set<object>;
}

/** How many places stand before that one. */
export function placesBefore({ accepted, asked }: StartPlaces, place: object): number {
  const index = [...asked].indexOf(place);
  return accepted + (index < 0 ? asked.size : index);
}
