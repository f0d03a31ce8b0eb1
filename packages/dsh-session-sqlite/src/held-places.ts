/**
 * The places that one driver holds.
 * I1. A place is held from before `take` resolves until its release, and is given back once.
 * I2. A giving back that failed is owed, and tried again at each sign of life, so that nobody waits for it for ever.
 */
import { settleAll } from '@dsh-internal/async';
import {
  SessionError,
  sessionError,
  type Clock,
  type SessionId,
  type WriterPlace,
} from '@deepseek-ai/dsh-session';
import { holderOf, type Life } from './life.ts';
import type { Statements } from './statements.ts';
import type { Sweeper } from './sweeper.ts';
import { bury, giveBack, take, type Ask, type Taken } from './taking.ts';
import type { Transactions } from './transactions.ts';

export class Held {
  readonly place: WriterPlace;
  readonly creating: boolean;
  /** The header is durable. */
  stored: boolean;
  /** Something was written with this place. */
  written = false;
  /** No event below this seq is written over. */
  floor: number;
  readonly #lost = new AbortController();

  constructor({ id, intent }: Ask, token: string, taken: Taken) {
    this.creating = intent === 'create';
    this.stored = !this.creating;
    this.floor = taken.length;
    this.place = { id, token, lost: this.#lost.signal, ...taken };
  }

  /** The log of the place and where that starts. Throws `FENCED` where the place is another's (S21). */
  require(sql: Statements): { readonly log: number; readonly start: number } {
    const { id, token } = this.place;
    const row = sql.held.get(id, token);
    if (row !== undefined) return row;
    const now = sql.holder.get(id);
    throw sessionError('FENCED', `session ${id}: not written, the writer's place was taken over`, {
      ...(now === undefined ? {} : { holder: holderOf(now) }),
    });
  }

  /** Aborts `lost` where the place is another's. */
  check(sql: Statements): void {
    try {
      this.require(sql);
    } catch (error) {
      this.hear(error);
    }
  }

  /** What a transaction threw. Aborts `lost` where that was `FENCED`. */
  hear(error: unknown): void {
    if (SessionError.is(error) && error.code === 'FENCED') this.#lost.abort(error);
  }
}

export interface HeldPlaces {
  take(ask: Ask, signal: AbortSignal | undefined): Promise<WriterPlace>;
  /** Throws `FENCED` where this driver does not hold it. */
  of(place: WriterPlace): Held;
  release(place: WriterPlace, summary: string | undefined): Promise<void>;
  /** After each sign of life: tries again what is owed (I2), and hears of the places that were lost. */
  onBeat(): Promise<void>;
  /** Refuses new places and gives all back. */
  close(): Promise<void>;
}

export interface HeldPlacesOptions {
  readonly transactions: Transactions;
  readonly sweeper: Sweeper;
  readonly clock: Clock;
  readonly newId: () => string;
  readonly writer: string;
  readonly life: () => Life;
}

export function createHeldPlaces(options: HeldPlacesOptions): HeldPlaces {
  return new Places(options);
}

interface Owed {
  readonly id: SessionId;
  readonly summary?: string | undefined;
}

class Places implements HeldPlaces {
  readonly #options: HeldPlacesOptions;
  readonly #held = new Map<string, Held>();
  readonly #owed = new Map<string, Owed>();
  readonly #taking = new Set<Promise<Held>>();
  /** What is given back now goes with it. */
  #paying: Promise<void> | undefined;
  #closed = false;
  /** This driver has a row in `writer`. */
  #shown = false;

  constructor(options: HeldPlacesOptions) {
    this.#options = options;
  }

  async take(ask: Ask, signal: AbortSignal | undefined): Promise<WriterPlace> {
    if (this.#closed)
      throw sessionError('STORE_CLOSED', `session ${ask.id} was not opened: the driver is closed`);
    const job = this.#begin(ask, signal);
    this.#taking.add(job);
    try {
      return (await job).place;
    } finally {
      this.#taking.delete(job);
      this.#rest();
    }
  }

  of(place: WriterPlace): Held {
    const held = this.#held.get(place.token);
    if (held !== undefined) return held;
    throw sessionError('FENCED', `session ${place.id}: not written, its place is not held here`);
  }

  async release({ id, token }: WriterPlace, summary: string | undefined): Promise<void> {
    if (!this.#held.delete(token)) return;
    this.#owed.set(token, { id, summary });
    await this.#payTogether();
    this.#rest();
  }

  async onBeat(): Promise<void> {
    await this.#pay();
    await this.#options.transactions.read((sql) => {
      for (const held of this.#held.values()) held.check(sql);
    });
    this.#rest();
  }

  async close(): Promise<void> {
    this.#closed = true;
    await settleAll([...this.#taking]);
    for (const [token, { place }] of this.#held) this.#owed.set(token, { id: place.id });
    this.#held.clear();
    const life = this.#options.life();
    life.rest();
    await life.settled();
    await this.#pay();
    if (this.#shown) await this.#leave();
  }

  async #begin(ask: Ask, signal: AbortSignal | undefined): Promise<Held> {
    const { transactions, clock, newId, writer, sweeper } = this.#options;
    const life = this.#options.life();
    const token = newId();
    life.wake();
    const { taken, garbage } = await transactions.write(
      (sql) => {
        life.show(sql);
        if (!this.#shown) bury(sql, life);
        return {
          taken: take(sql, life, ask, { token, writer, since: clock.now() }),
          garbage: sql.garbage.get() !== undefined,
        };
      },
      { durable: false, signal },
    );
    this.#shown = true;
    const held = new Held(ask, token, taken);
    this.#held.set(token, held);
    if (garbage) sweeper.start();
    return held;
  }

  /** Who gives back at the same time shares one transaction, which begins in a later microtask. */
  #payTogether(): Promise<void> {
    this.#paying ??= Promise.resolve().then(() => {
      this.#paying = undefined;
      return this.#pay();
    });
    return this.#paying;
  }

  /** Gives back all that is owed. */
  async #pay(): Promise<void> {
    const owed = [...this.#owed];
    if (owed.length === 0) return;
    const garbage = await this.#options.transactions.write(
      (sql) => {
        for (const [token, { id, summary }] of owed) giveBack(sql, id, token, summary);
        return sql.garbage.get() !== undefined;
      },
      { durable: false, relieves: true },
    );
    for (const [token] of owed) this.#owed.delete(token);
    if (garbage) this.#options.sweeper.start();
  }

  async #leave(): Promise<void> {
    const { transactions, writer } = this.#options;
    await transactions.write((sql) => sql.dropIdleWriter.run(writer, writer), {
      durable: false,
      relieves: true,
    });
  }

  #rest(): void {
    if (this.#held.size + this.#owed.size + this.#taking.size === 0) this.#options.life().rest();
  }
}
