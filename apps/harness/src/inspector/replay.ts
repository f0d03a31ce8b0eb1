/**
 * What was told, numbered, so that whoever comes again can be told what he has missed.
 * Owns: the newest events, within two bounds.
 * I1. Events that are kept have no gap: who asks for one that was let go gets a reset, and never a part.
 * I2. Fleeting events have a bound of their own, and may be missing in a replay.
 * I3. Readers have no queue: each remembers how far it is. A slow one costs nothing.
 */
export interface Told {
  readonly n: number;
  readonly json: string;
}

export interface ReplayBounds {
  /** Default 4,000. */
  readonly events?: number;
  /** UTF-16 units of JSON. Default 8 Mi. */
  readonly size?: number;
  /** Default 1 Mi. */
  readonly fleetingSize?: number;
}

export interface Replay {
  /** The number of the newest event; 0 before the first one. */
  readonly last: number;
  add(json: string, fleeting?: boolean): void;
  /**
   * The events after `n`, in their order and as many as fit into `room`, at least one where there is one.
   * Nothing where some of them were let go.
   */
  after(n: number, room: number): readonly Told[] | undefined;
}

export function createReplay(bounds: ReplayBounds = {}): Replay {
  const { events = 4_000, size = 8_388_608, fleetingSize = 1_048_576 } = bounds;
  const kept = createQueue(events, size);
  const fleeting = createQueue(events, fleetingSize);
  let last = 0;
  return {
    get last() {
      return last;
    },
    add(json, isFleeting = false) {
      last += 1;
      (isFleeting ? fleeting : kept).push({ n: last, json });
    },
    after(n, room) {
      if (n < kept.letGo) return undefined;
      const found: Told[] = [];
      let left = room;
      let a = kept.firstAfter(n);
      let b = fleeting.firstAfter(n);
      for (;;) {
        const [one, other] = [kept.at(a), fleeting.at(b)];
        const next = other === undefined || (one !== undefined && one.n < other.n) ? one : other;
        if (next === undefined || (left < next.json.length && found.length > 0)) return found;
        if (next === one) a += 1;
        else b += 1;
        left -= next.json.length;
        found.push(next);
      }
    },
  };
}

interface Queue {
  /** The number of the newest event that is no longer here; 0 where all are. */
  readonly letGo: number;
  push(told: Told): void;
  /** A position for `at`. */
  firstAfter(n: number): number;
  at(position: number): Told | undefined;
}

function createQueue(most: number, size: number): Queue {
  let items: Told[] = [];
  let first = 0;
  let held = 0;
  let letGo = 0;
  return {
    get letGo() {
      return letGo;
    },
    push(told) {
      items.push(told);
      held += told.json.length;
      for (let old = items[first]; old !== undefined; old = items[first]) {
        if (items.length - first <= most && held <= size) break;
        held -= old.json.length;
        letGo = old.n;
        first += 1;
      }
      if (first > 1_024 && first * 2 > items.length) {
        items = items.slice(first);
        first = 0;
      }
    },
    firstAfter(n) {
      let low = first;
      let high = items.length;
      while (low < high) {
        const middle = (low + high) >> 1;
        if ((items[middle]?.n ?? 0) > n) high = middle;
        else low = middle + 1;
      }
      return low;
    },
    at: (position) => items[position],
  };
}
