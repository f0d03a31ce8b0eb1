/**
 * Empties the garbage, a bounded piece per transaction, and lets others run in between.
 * I1. At most one sweep runs at a time. What is asked meanwhile makes it look once more before it ends.
 * I2. A log whose pages are broken stays in the garbage, and hinders neither the other logs nor who asks.
 */
import type { OnDiagnostic } from '@deepseek-ai/dsh-session';
import { collect } from './logs.ts';
import type { Statements } from './statements.ts';
import type { Transactions } from './transactions.ts';

export interface Sweeper {
  start(): void;
  /** Resolves when the garbage is gone. Never rejects: what is left is swept another time. */
  sweep(): Promise<void>;
  /** The sweep that runs ends after its next piece. */
  stop(): Promise<void>;
}

/** Events that go in one transaction. */
const PIECE = 500;

export function createSweeper(transactions: Transactions, onDiagnostic: OnDiagnostic): Sweeper {
  return new Broom(transactions, onDiagnostic);
}

class Broom implements Sweeper {
  readonly #transactions: Transactions;
  readonly #onDiagnostic: OnDiagnostic;
  readonly #broken = new Set<number>();
  #running: Promise<void> | undefined;
  #asked = false;
  #stopped = false;

  constructor(transactions: Transactions, onDiagnostic: OnDiagnostic) {
    this.#transactions = transactions;
    this.#onDiagnostic = onDiagnostic;
  }

  start(): void {
    this.#asked = true;
    this.#running ??= this.#run();
  }

  async sweep(): Promise<void> {
    this.start();
    await this.#running;
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#running;
  }

  async #run(): Promise<void> {
    do {
      this.#asked = false;
      if (await this.#sweepPiece()) this.#asked = true;
      await new Promise<void>((resolve) => setImmediate(resolve));
    } while (this.#asked && !this.#stopped);
    this.#running = undefined;
  }

  /** Gives true where there may be more. */
  async #sweepPiece(): Promise<boolean> {
    let at: number | undefined;
    const piece = (sql: Statements): boolean => {
      let left = PIECE;
      for (const log of sql.garbage.all()) {
        if (this.#broken.has(log)) continue;
        at = log;
        left = collect(sql, log, left);
        if (left === 0) return true;
      }
      return false;
    };
    try {
      return await this.#transactions.write(piece, { durable: false, relieves: true });
    } catch (cause) {
      const message = 'something that was deleted still takes space in the file';
      this.#onDiagnostic({ code: 'garbage-left', level: 'warning', message, cause });
      if (at === undefined) return false;
      this.#broken.add(at);
      return true;
    }
  }
}
