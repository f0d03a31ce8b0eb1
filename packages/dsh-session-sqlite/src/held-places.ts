/**
 * The places that one driver holds.
 * I1. A place is held from before `take` resolves until its release, and is given back once.
 * I2. A giving back that failed is owed, and tried again at each sign of life, so that nobody waits for it for ever.
 */
import { settleAll } from '@dsh-internal/async';
import { sessionError, type Clock, type SessionId, type WriterPlace } from '@deepseek-ai/dsh-session';
import { Held } from './held.ts';
import type { Life } from './life.ts';
import type { Sweeper } from './sweeper.ts';
import { bury, giveBack, take, type Ask } from './taking.ts';
import type { Transactions } from './transactions.ts';

export interface HeldPlaces {
  take(ask: Ask, signal: AbortSignal | undefined): Promise<WriterPlace>;
  /** Throws `FENCED` where this driver does not hold it. */
  of(place: WriterPlace): Held;
  release(place: WriterPlace, summary: string | undefined): Promise<void>;
  /** Refuses new places and gives all back. */
  close(): Promise<void>;
}

export interface HeldPlacesOptions {
  readonly transactions: Transactions;
  readonly sweeper: Sweeper;
  readonly clock: Clock;
  readonly newId: () => string;
  readonly writer: string;
  readonly life: Life;
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

  async close(): Promise<void> {
    this.#closed = true;
    await settleAll([...this.#taking]);
    for (const [token, { place }] of this.#held) this.#owed.set(token, { id: place.id });
    this.#held.clear();
    this.#options.life.rest();
    await this.#options.life.settled();
    await this.#pay();
    if (this.#shown) await this.#leave();
  }

  async #begin(ask: Ask, signal: AbortSignal | undefined): Promise<Held> {
    const { transactions, clock, newId, writer, sweeper, life } = this.#options;
    const token = newId();
    life.wake(() => this.#onBeat());
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

  /** After each sign of life: tries again what is owed (I2), and hears of the places that were lost. */
  async #onBeat(): Promise<void> {
    await this.#pay();
    await this.#options.transactions.read((sql) => {
      for (const held of this.#held.values()) held.check(sql);
    });
    this.#rest();
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
    if (this.#held.size + this.#owed.size + this.#taking.size === 0) this.#options.life.rest();
  }
}
