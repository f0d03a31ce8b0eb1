/**
 * The transactions of one store.
 * Owns: the connection, and the waiting for other processes.  Does not own: what is written.
 * I1. The work of a transaction is synchronous, and done as a whole or not at all. It may run more than once.
 * I2. While another process writes, the event loop stands still for a few milliseconds at a time, and not longer.
 * I3. On a full disk, what gives room back spends the reserve, and so does the looking at what is there.
 * I4. What need not outlive a crash of the machine waits for no device; what comes after it in the file makes it
 *     durable.
 */
import type Database from 'better-sqlite3';
import { sessionError } from '@deepseek-ai/dsh-session';
import { connect, type Connection } from './connection.ts';
import { createReserve, isFull, type Reserve } from './reserve.ts';
import type { Statements } from './statements.ts';

export type Synchronous = 'full' | 'normal' | 'off';

export interface TransactionOptions {
  readonly path: string;
  /** How far a durable transaction waits for the device. */
  readonly synchronous: Synchronous;
  readonly pause: (ms: number) => Promise<unknown>;
  /** Sees each connection once, before it is used. */
  readonly onConnect?: ((db: Database.Database) => void) | undefined;
}

export interface WriteOptions {
  readonly durable: boolean;
  /** It gives room back, or lets others go on: see 3. */
  readonly relieves?: boolean;
  readonly signal?: AbortSignal | undefined;
}

export interface Transactions {
  /** One consistent view. `undefined` where there is no store yet. */
  read<T>(work: (sql: Statements) => T, signal?: AbortSignal): Promise<T | undefined>;
  /** Makes the store where there is none. */
  write<T>(work: (sql: Statements, db: Database.Database) => T, options: WriteOptions): Promise<T>;
  /** Refuses everything from now on. */
  close(): void;
}

/** A transaction of another process may take so long, in milliseconds. */
const PATIENCE_MS = 5000;
const LONGEST_PAUSE_MS = 50;

export function createTransactions(options: TransactionOptions): Transactions {
  return new Store(options);
}

export function isBusy(error: unknown): boolean {
  const { code } = error as { readonly code?: unknown };
  return typeof code === 'string' && code.startsWith('SQLITE_BUSY');
}

class Store implements Transactions {
  readonly #options: TransactionOptions;
  #connection: Connection | undefined;
  #level: Synchronous | undefined;
  readonly #reserve: Reserve;
  /** The reserve was there when last looked at. */
  #reserved = false;
  #closed = false;

  constructor(options: TransactionOptions) {
    this.#options = options;
    this.#reserve = createReserve(`${options.path}-reserve`);
  }

  read<T>(work: (sql: Statements) => T, signal?: AbortSignal): Promise<T | undefined> {
    return this.#patiently(signal, () =>
      this.#relieved(true, () => {
        const connection = this.#connect(false);
        return connection === undefined ? undefined : view(connection, work);
      }),
    );
  }

  write<T>(
    work: (sql: Statements, db: Database.Database) => T,
    { durable, relieves = false, signal }: WriteOptions,
  ): Promise<T> {
    const attempt = (): T => {
      const connection = this.#connect(true);
      const { db, sql } = connection;
      this.#wait(db, durable);
      return within(connection, () => work(sql, db));
    };
    return this.#patiently(signal, () => {
      const result = this.#relieved(relieves, attempt);
      if (!this.#reserved) this.#reserved = this.#reserve.keep() || this.#makeRoom();
      return result;
    });
  }

  close(): void {
    this.#closed = true;
    this.#connection?.db.close();
    this.#connection = undefined;
  }

  /** Tries once more with the room of the reserve. */
  #relieved<T>(may: boolean, attempt: () => T): T {
    try {
      return attempt();
    } catch (error) {
      if (!may || !isFull(error) || !this.#reserve.spend()) throw error;
      this.#reserved = false;
      return attempt();
    }
  }

  /** What stands in the WAL goes where it has room already, so that the reserve can have the WAL's. */
  #makeRoom(): boolean {
    try {
      this.#connection?.db.pragma('wal_checkpoint(TRUNCATE)');
    } catch {
      return false;
    }
    return this.#reserve.keep();
  }

  #connect(create: true): Connection;
  #connect(create: boolean): Connection | undefined;
  #connect(create: boolean): Connection | undefined {
    if (this.#closed) throw sessionError('STORE_CLOSED', 'nothing was done: the driver is closed');
    if (this.#connection !== undefined) return this.#connection;
    const connection = connect(this.#options.path, create);
    if (connection === undefined) return undefined;
    this.#options.onConnect?.(connection.db);
    this.#connection = connection;
    return connection;
  }

  /** SQLite takes the level between transactions only. */
  #wait(db: Database.Database, durable: boolean): void {
    const { synchronous } = this.#options;
    const level = durable || synchronous === 'off' ? synchronous : 'normal';
    if (level === this.#level) return;
    db.exec(`PRAGMA synchronous = ${level}`);
    this.#level = level;
  }

  async #patiently<T>(signal: AbortSignal | undefined, attempt: () => T): Promise<T> {
    let pause = 1;
    for (let waited = 0; ; waited += pause) {
      signal?.throwIfAborted();
      try {
        return attempt();
      } catch (error) {
        if (!isBusy(error) || waited >= PATIENCE_MS) throw error;
      }
      pause = Math.min(LONGEST_PAUSE_MS, pause * 2);
      await this.#options.pause(pause);
    }
  }
}

/** Ended by a rollback: where a broken page was met, SQLite refuses to commit even what has changed nothing. */
function view<T>({ db, sql }: Connection, work: (sql: Statements) => T): T {
  sql.begin.run();
  try {
    return work(sql);
  } finally {
    if (db.inTransaction) sql.rollback.run();
  }
}

function within<T>({ db, sql }: Connection, work: () => T): T {
  sql.beginWriting.run();
  try {
    const result = work();
    sql.commit.run();
    return result;
  } catch (error) {
    // Some failures have ended the transaction already.
    if (db.inTransaction) sql.rollback.run();
    throw error;
  }
}
