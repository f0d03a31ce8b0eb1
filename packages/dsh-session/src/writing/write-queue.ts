/**
 * What one Session has still to write.
 * Owns: the order of its events, how far they are durable, who waits for that.  Does not own: when to write.
 * I1. Events leave in order; a batch that failed goes back in front of what came meanwhile.
 * I2. `durableLength` moves only by what a driver has confirmed.
 * I3. A flush is settled once: by the batch that covers it, or by the end of the queue.
 * I4. A summary goes with a part exactly as it stands when the part leaves: then it covers all that was pushed.
 */
import { deferred, type Deferred } from '@dsh-internal/async';
import type { BatchPart, StoredEvent, WriterPlace } from '../driver.ts';

export interface WriteQueue {
  readonly place: WriterPlace;
  readonly durableLength: number;
  /** How much waits, in UTF-16 units of JSON. */
  readonly waiting: number;
  /** Nothing is left to write. */
  readonly clean: boolean;
  /** Somebody waits: a try is due whatever was planned. */
  readonly asked: boolean;
  /** The header is to be written even if no event comes. */
  needHeader(): void;
  push(events: readonly StoredEvent[]): void;
  /** The next part, which then counts as under way; nothing where there is nothing to write. */
  take(): BatchPart | undefined;
  confirm(part: BatchPart): void;
  fail(part: BatchPart, error: unknown): void;
  /** Resolves when what was pushed before is durable. */
  covered(): Promise<void>;
  /** Drops what waits and rejects who waits. */
  end(error: unknown): void;
}

interface Waiter extends Deferred<void> {
  readonly upTo: number;
}

/** What waits in all queues of a store, in UTF-16 units of JSON. */
export interface WaitingTotal {
  waiting: number;
}

export interface WriteQueueOptions {
  readonly place: WriterPlace;
  readonly total: WaitingTotal;
  /** The header's JSON, for a Session that is not on the medium yet. */
  readonly header?: string;
  /** What to keep beside the log, where it is worth it after that much was written without (S27). */
  readonly summarize?: (since: number) => string | undefined;
  /** How much the log holds that no summary covers, in UTF-16 units of JSON. */
  readonly unsummed?: number;
}

const sizeOf = (events: readonly StoredEvent[]): number =>
  events.reduce((sum, { json }) => sum + json.length, 0);

export function createWriteQueue(options: WriteQueueOptions): WriteQueue {
  return new Queue(options);
}

class Queue implements WriteQueue {
  readonly place: WriterPlace;
  readonly #total: WaitingTotal;
  #header: string | undefined;
  #headerNeeded = false;
  #durable: number;
  #length: number;
  #events: StoredEvent[] = [];
  #size = 0;
  #waiters: Waiter[] = [];
  readonly #summarize: NonNullable<WriteQueueOptions['summarize']>;
  #unsummed: number;

  constructor({ place, total, header, summarize, unsummed = 0 }: WriteQueueOptions) {
    this.place = place;
    this.#summarize = summarize ?? (() => undefined);
    this.#unsummed = unsummed;
    this.#total = total;
    this.#header = header;
    this.#durable = place.length;
    this.#length = place.length;
  }

  get durableLength(): number {
    return this.#durable;
  }
  get waiting(): number {
    return this.#size;
  }
  get clean(): boolean {
    return this.#durable === this.#length && !(this.#headerNeeded && this.#header !== undefined);
  }
  get asked(): boolean {
    return this.#waiters.length > 0;
  }

  needHeader(): void {
    this.#headerNeeded = true;
  }

  push(events: readonly StoredEvent[]): void {
    for (const event of events) this.#events.push(event);
    this.#length += events.length;
    this.#resize(sizeOf(events));
  }

  take(): BatchPart | undefined {
    if (this.clean) return undefined;
    const summary = this.#summarize(this.#unsummed + this.#size);
    const part = {
      place: this.place,
      base: this.#durable,
      events: this.#events,
      ...(this.#header === undefined ? {} : { header: this.#header }),
      ...(summary === undefined ? {} : { summary }),
    };
    this.#events = [];
    return part;
  }

  confirm(part: BatchPart): void {
    this.#header = undefined;
    this.#durable = part.base + part.events.length;
    const size = sizeOf(part.events);
    this.#unsummed = part.summary === undefined ? this.#unsummed + size : 0;
    this.#resize(-size);
    for (const { resolve } of this.#settled(this.#durable)) resolve();
  }

  fail(part: BatchPart, error: unknown): void {
    this.#events = [...part.events, ...this.#events];
    for (const { reject } of this.#settled(part.base + part.events.length)) reject(error);
  }

  covered(): Promise<void> {
    if (this.clean) return Promise.resolve();
    const waiter = { ...deferred(), upTo: this.#length };
    this.#waiters.push(waiter);
    return waiter.promise;
  }

  end(error: unknown): void {
    this.#resize(-this.#size);
    this.#events = [];
    this.#length = this.#durable;
    this.#headerNeeded = false;
    for (const { reject } of this.#settled(Infinity)) reject(error);
  }

  #resize(by: number): void {
    this.#size += by;
    this.#total.waiting += by;
  }

  /** Takes out who waits for no more than `upTo` (I3). */
  #settled(upTo: number): readonly Waiter[] {
    const done = this.#waiters.filter((waiter) => waiter.upTo <= upTo);
    this.#waiters = this.#waiters.filter((waiter) => waiter.upTo > upTo);
    return done;
  }
}
