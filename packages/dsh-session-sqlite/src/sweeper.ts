/**
 * Empties the garbage, a bounded piece per transaction, and lets others run in between.
 * 1. At most one sweep runs at a time. What is asked meanwhile makes it look once more before it ends.
 */
import type { OnDiagnostic } from '@deepseek-ai/dsh-session';
import { collect } from './logs.ts';
import type { Transactions } from './transactions.ts';

export interface Sweeper {
  start(): void;
  /** Resolves when the garbage is gone. Never rejects: what is left is swept another time. */
  sweep(): Promise<void>;
  /** The sweep that runs ends after its next piece. */
  stop(): Promise<void>;
}

/** Events that go in one transaction. */
export const PIECE = 500;

export function createSweeper(transactions: Transactions, onDiagnostic: OnDiagnostic): Sweeper {
  let running: Promise<void> | undefined;
  let asked = false;
  let stopped = false;

  const run = async (): Promise<void> => {
    try {
      while (asked && !stopped) {
        asked = false;
        if (await sweepPiece(transactions)) asked = true;
        await new Promise<void>((resolve) => setImmediate(resolve));
      }
    } catch (cause) {
      const message = 'what was deleted still takes space in the file, until the next deletion';
      onDiagnostic({ code: 'GARBAGE_LEFT', level: 'warning', message, cause });
    } finally {
      running = undefined;
    }
  };
  const sweep = (): Promise<void> => {
    asked = true;
    return (running ??= run());
  };
  return {
    start() {
      running = sweep();
    },
    sweep,
    async stop() {
      stopped = true;
      await running;
    },
  };
}

/** Gives false where there was nothing. */
function sweepPiece(transactions: Transactions): Promise<boolean> {
  return transactions.write(
    (sql) => {
      const log = sql.someGarbage.get();
      if (log === undefined) return false;
      collect(sql, log, PIECE);
      return true;
    },
    { durable: false },
  );
}
