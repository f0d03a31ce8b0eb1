/**
 * [pure] What waits in an inbox, in acceptance order, and what became of what waited.
 * Owns: entries, the mark of a parked inbox, outcomes. Does not own: validation, events, the log.
 * I1. An id is in one place: waiting, or among the outcomes.
 * I2. A batch that was taken and put back stands where it stood, and its ids are unknown to the outcomes again.
 * I3. There is one mark on the whole inbox. While it stands nothing is proposed.
 */
import type { MessageId } from '@deepseek-ai/dsh-session';
import type { Boundary, CancelCause, DiscardReason, InboxEntry, MessageOutcome } from './agent.ts';

/** Entries that left the inbox together and can be put back. */
export interface TakenBatch {
  readonly entries: readonly InboxEntry[];
  readonly places: readonly Place[];
}

interface Place {
  readonly entry: InboxEntry;
  /** Grows with each acceptance. */
  readonly order: number;
  readonly bytes: number;
}

export interface InboxState {
  readonly size: number;
  readonly bytes: number;
  readonly parked: boolean;
  /** An unparked entry waits that starts work. */
  readonly hasWork: boolean;
  /** How many entries of that boundary wait, parked or not. */
  count(boundary: Boundary): number;
  /** The same array until something changes. */
  list(): readonly InboxEntry[];
  get(id: MessageId): InboxEntry | undefined;
  outcome(id: MessageId): MessageOutcome;
  /** Adds an entry at the end. A waking one may take the mark away (A20). What it gives makes that undone. */
  accept(entry: InboxEntry, bytes: number): () => void;
  park(cause: CancelCause): void;
  unpark(): void;
  /** What A4 lets a turn claim at that boundary; nothing while the inbox is parked. */
  propose(at: Boundary): readonly InboxEntry[];
  /** Takes those that still wait, in acceptance order. They count as logged from `seq` on. */
  take(ids: Iterable<MessageId>, seq: number): TakenBatch;
  putBack(batch: TakenBatch): void;
  discard(id: MessageId, reason: DiscardReason): InboxEntry | undefined;
  /** Remembers where a message stands in the log. One that waits under that id is dropped and returned. */
  learn(id: MessageId, seq: number): InboxEntry | undefined;
  /** The same of all messages of a log, in their order, as what was before anything that happened here. */
  learnPast(messages: readonly LoggedMessage[]): readonly InboxEntry[];
}

export interface LoggedMessage {
  readonly id: MessageId;
  readonly seq: number;
}

/** How many outcomes are remembered. */
export const rememberedOutcomes = 1_000;

type PastOutcome = Exclude<MessageOutcome, string>;

interface Data {
  places: Map<MessageId, Place>;
  readonly past: Map<MessageId, PastOutcome>;
  readonly counts: Record<Boundary | 'wake' | 'bytes', number>;
  mark: CancelCause | undefined;
  /** That of the next acceptance. */
  order: number;
  listed: readonly InboxEntry[] | undefined;
}

export function createInboxState(): InboxState {
  return new State();
}

class State implements InboxState {
  readonly #data: Data = {
    places: new Map(),
    past: new Map(),
    counts: { turn: 0, step: 0, wake: 0, bytes: 0 },
    mark: undefined,
    order: 0,
    listed: undefined,
  };

  get size(): number {
    return this.#data.places.size;
  }
  get bytes(): number {
    return this.#data.counts.bytes;
  }
  get parked(): boolean {
    return this.#data.mark !== undefined;
  }
  get hasWork(): boolean {
    return this.#data.mark === undefined && this.#data.counts.wake > 0;
  }

  count(boundary: Boundary): number {
    return this.#data.counts[boundary];
  }

  list(): readonly InboxEntry[] {
    const data = this.#data;
    return (data.listed ??= Object.freeze(Array.from(data.places.values(), ({ entry }) => entry)));
  }

  get(id: MessageId): InboxEntry | undefined {
    return this.#data.places.get(id)?.entry;
  }

  outcome(id: MessageId): MessageOutcome {
    return this.#data.places.has(id) ? 'waiting' : (this.#data.past.get(id) ?? 'unknown');
  }

  accept(entry: InboxEntry, bytes: number): () => void {
    return accept(this.#data, entry, bytes);
  }

  park(cause: CancelCause): void {
    // The person's stop is the strongest: a later mark does not weaken it.
    if (this.#data.mark !== 'user') this.#data.mark = cause;
  }

  unpark(): void {
    this.#data.mark = undefined;
  }

  propose(at: Boundary): readonly InboxEntry[] {
    return this.parked ? [] : proposal(this.#data, at);
  }

  take(ids: Iterable<MessageId>, seq: number): TakenBatch {
    const { places } = this.#data;
    const wanted = sorted(Array.from(ids, (id) => places.get(id)).filter((place) => place !== undefined));
    wanted.forEach((place, index) => leave(this.#data, place.entry.message.id, { logged: seq + index }));
    return { places: wanted, entries: wanted.map(({ entry }) => entry) };
  }

  putBack(batch: TakenBatch): void {
    putBack(this.#data, batch);
  }

  discard(id: MessageId, reason: DiscardReason): InboxEntry | undefined {
    return leave(this.#data, id, { discarded: reason })?.entry;
  }

  learn(id: MessageId, seq: number): InboxEntry | undefined {
    const place = leave(this.#data, id, { logged: seq });
    if (place === undefined) remember(this.#data.past, id, { logged: seq });
    return place?.entry;
  }

  learnPast(messages: readonly LoggedMessage[]): readonly InboxEntry[] {
    return learnPast(this.#data, messages);
  }
}

function accept(data: Data, entry: InboxEntry, bytes: number): () => void {
  const place = { entry, bytes, order: data.order };
  const { mark } = data;
  data.order += 1;
  data.places.set(entry.message.id, place);
  tally(data, place, 1);
  if (mark !== undefined && takesMarkAway(entry, mark)) data.mark = undefined;
  return () => {
    data.places.delete(entry.message.id);
    tally(data, place, -1);
    data.mark = mark;
  };
}

/** The only way out of the waiting (I1). */
function leave(data: Data, id: MessageId, outcome: PastOutcome): Place | undefined {
  const place = data.places.get(id);
  if (place === undefined) return undefined;
  data.places.delete(id);
  tally(data, place, -1);
  remember(data.past, id, outcome);
  return place;
}

function learnPast(data: Data, messages: readonly LoggedMessage[]): readonly InboxEntry[] {
  const { past } = data;
  const here = [...past];
  past.clear();
  for (const { id, seq } of messages.slice(-rememberedOutcomes)) remember(past, id, { logged: seq });
  for (const [id, outcome] of here) if (!past.has(id)) remember(past, id, outcome);
  const again = messages.filter(({ id }) => data.places.has(id));
  return again.flatMap(({ id, seq }) => leave(data, id, { logged: seq })?.entry ?? []);
}

function putBack(data: Data, batch: TakenBatch): void {
  for (const place of batch.places) {
    data.past.delete(place.entry.message.id);
    tally(data, place, 1);
  }
  const all = sorted([...batch.places, ...data.places.values()]);
  data.places = new Map(all.map((place) => [place.entry.message.id, place]));
}

function tally(data: Data, { entry, bytes }: Place, sign: 1 | -1): void {
  const { counts } = data;
  counts[entry.boundary] += sign;
  if (entry.wake) counts.wake += sign;
  counts.bytes += sign * bytes;
  data.listed = undefined;
}

function remember(past: Map<MessageId, PastOutcome>, id: MessageId, outcome: PastOutcome): void {
  past.delete(id);
  past.set(id, Object.freeze(outcome));
  if (past.size <= rememberedOutcomes) return;
  const [oldest] = past.keys();
  if (oldest !== undefined) past.delete(oldest);
}

/**
 * A4: at a turn's start the oldest waking entry decides; between steps every step entry may go. Nothing is looked at
 * behind the last of these, so that a claim does not cost more where a long queue waits.
 */
function proposal({ places, counts }: Data, at: Boundary): readonly InboxEntry[] {
  const found: InboxEntry[] = [];
  let decided = at === 'step';
  let steps = counts.step;
  for (const { entry } of places.values()) {
    if (decided && steps === 0) break;
    const first = !decided && entry.wake;
    decided ||= first;
    if (entry.boundary === 'step') steps -= 1;
    if (first || entry.boundary === 'step') found.push(entry);
  }
  return decided ? found : [];
}

/** A20: after a person's stop only a person's message starts work again. */
function takesMarkAway(entry: InboxEntry, mark: CancelCause): boolean {
  const kind: string = entry.message.source.kind;
  return entry.wake && (mark !== 'user' || kind === 'user');
}

function sorted(places: readonly Place[]): readonly Place[] {
  return places.toSorted((one, other) => one.order - other.order);
}
