/** The driver: one store of Sessions in one SQLite file. Content, batching and policy are the front's. */
import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { setTimeout as pauseFor } from 'node:timers/promises';
import { contained, memo, settleAll } from '@dsh-internal/async';
import { systemProcesses, type ProcessView } from '@dsh-internal/processes';
import { systemClock, type Clock, type OnDiagnostic, type SessionDriver } from '@deepseek-ai/dsh-session';
import { appendParts } from './batch.ts';
import { createHeldPlaces, type HeldPlaces } from './held-places.ts';
import { createLife, type Life } from './life.ts';
import { listEntries } from './listing.ts';
import { readHead, readHeader, readStored } from './reading.ts';
import { remove } from './removal.ts';
import { repairLog } from './repair.ts';
import { createSweeper, type Sweeper } from './sweeper.ts';
import { createTransactions, type TransactionOptions, type Transactions } from './transactions.ts';

/** The options of `sqliteDriver`. */
export interface SqliteDriverOptions {
  /** The file of the store. It is made, with the folders above it, when the first place is taken. */
  readonly path: string;
  /**
   * When a write counts as durable. `full` (default): when the device has it, so that it survives a loss of power.
   * `normal`: when SQLite has it, so that it survives the death of the process.
   */
  readonly synchronous?: 'full' | 'normal';
  /** Tells the age of signs of life, and fires their renewal. Default: that of the machine. */
  readonly clock?: Clock;
  /** Makes the names of writers and the tokens of places; none may come twice. Default: random UUIDs. */
  readonly newId?: () => string;
  /** Hears `lease-not-renewed` and `garbage-left`, both warnings. What it throws is dropped. */
  readonly onDiagnostic?: OnDiagnostic;
  /**
   * How long a writer that cannot be shown dead may be silent before its places can be taken over, in milliseconds.
   * Default 30,000. A process whose event loop stands still for longer loses its places.
   */
  readonly leaseMs?: number;
}

/** What tests put in the place of the machine. */
export interface SqliteDriverPorts extends Partial<Omit<TransactionOptions, 'path'>> {
  readonly processes?: ProcessView;
}

interface Parts {
  readonly transactions: Transactions;
  readonly sweeper: Sweeper;
  readonly places: HeldPlaces;
  readonly life: Life;
}

function createParts(options: SqliteDriverOptions, ports: SqliteDriverPorts): Parts {
  const { clock = systemClock, newId = randomUUID, leaseMs = 30_000, synchronous = 'full' } = options;
  const { processes = systemProcesses(), pause = pauseFor, onConnect } = ports;
  const transactions = createTransactions({
    path: pathOf(options.path),
    synchronous: ports.synchronous ?? synchronous,
    pause,
    onConnect,
  });
  const onDiagnostic = contained(options.onDiagnostic);
  const sweeper = createSweeper(transactions, onDiagnostic);
  const writer = newId();
  const life = createLife({ transactions, processes, clock, leaseMs, writer, onDiagnostic });
  const places = createHeldPlaces({ transactions, sweeper, clock, newId, writer, life });
  return { transactions, sweeper, places, life };
}

function pathOf(path: string): string {
  const whole = resolve(path);
  // SQLite's binding cuts such a path, and the store would be another file than the one that was made for it.
  if (whole !== whole.trim()) throw new TypeError(`the path of a store ends with a space: ${path}`);
  return whole;
}

export function createSqliteDriver(
  options: SqliteDriverOptions,
  ports: SqliteDriverPorts = {},
): SessionDriver {
  const parts = createParts(options, ports);
  const { transactions, places, sweeper } = parts;
  return {
    protocol: { name: 'dsh-session/driver', version: 1 },
    manifest: { name: 'sqlite', outlivesProcess: true, sharesPrefix: true, fences: true, keepsSummary: true },
    async take(id, intent, { prefix, signal }) {
      return places.take({ id, intent, prefix }, signal);
    },
    append: (batch) => appendParts(transactions, places, batch),
    release: (place, { summary } = {}) => places.release(place, summary),
    async header(id, { signal }) {
      return readHeader(transactions, id, signal);
    },
    async head(id, wait) {
      return readHead(transactions, id, wait);
    },
    read: (id, range) => readStored(transactions, id, range),
    list: (query) => listEntries(transactions, query),
    async delete(id, { signal }) {
      await remove(parts, id, signal);
    },
    async repair(place, work) {
      await repairLog({ transactions, sweeper, ...work }, places.of(place));
    },
    [Symbol.asyncDispose]: memo(() => close(parts)),
  };
}

async function close({ transactions, places, sweeper }: Parts): Promise<void> {
  const failures = await settleAll([places.close()]);
  await sweeper.stop();
  transactions.close();
  if (failures.length > 0) throw new AggregateError(failures, "some writers' places were not given back");
}
