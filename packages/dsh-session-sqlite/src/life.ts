/**
 * Whether a writer lives: this one, and those that hold what is asked for.
 * Owns: the row of this driver in `writer`.  Does not own: what follows from the death of another one.
 * I1. Death is shown only on the same machine. Everywhere else, and for a process that is there and silent, the
 *     lease decides.
 * I2. While it is awake, the row is renewed three times per lease by a timer that keeps no process alive.
 */
import { shownDead, type ProcessView } from '@dsh-internal/processes';
import type { Clock, OnDiagnostic, PlaceHolder, Registration } from '@deepseek-ai/dsh-session';
import type { HolderRow, Statements, WriterRow } from './statements.ts';
import type { Transactions } from './transactions.ts';

export interface LifeOptions {
  readonly transactions: Transactions;
  readonly processes: ProcessView;
  readonly clock: Clock;
  readonly leaseMs: number;
  readonly writer: string;
  readonly onDiagnostic: OnDiagnostic;
}

export interface Life {
  /** Renews the row, within a transaction that takes a place. */
  show(sql: Statements): void;
  /** The holder may still write. */
  holds(row: HolderRow): boolean;
  /** The writers that are shown dead. */
  dead(sql: Statements): readonly WriterRow[];
  /** Shows life from now on, until {@link rest}. `onBeat` is what else is done at each renewal, after it. */
  wake(onBeat: () => Promise<void>): void;
  rest(): void;
  /** A renewal under way has come to its end. */
  settled(): Promise<void>;
}

export function createLife(options: LifeOptions): Life {
  const { transactions, processes, clock, leaseMs, writer } = options;
  const { pid, host, machine = null, startTime = null } = processes.self;
  let timer: Registration | undefined;
  let beats: Promise<void> = Promise.resolve();

  const show = (sql: Statements): void => {
    sql.showLife.run(writer, pid, host, machine, startTime, leaseMs, clock.now());
  };
  const beat = async (onBeat: () => Promise<void>): Promise<void> => {
    try {
      await transactions.write(show, { durable: false });
      await onBeat();
    } catch (cause) {
      const message = 'the sign of life of this writer was not renewed; others may take its places over';
      options.onDiagnostic({ code: 'lease-not-renewed', level: 'warning', message, cause });
    }
  };
  const tick = (onBeat: () => Promise<void>): void => {
    timer = clock.timer(leaseMs / 3, () => {
      tick(onBeat);
      beats = beat(onBeat);
    });
  };
  const isDead = (row: Pick<WriterRow, 'pid' | 'machine' | 'started'>): boolean =>
    shownDead(identityOf(row), processes);

  return {
    show,
    holds(row) {
      const { seen, lease, since } = row;
      if (row.pid === null || seen === null || lease === null) return false;
      if (isDead({ ...row, pid: row.pid })) return false;
      return clock.now() - Math.max(seen, since) <= lease;
    },
    dead: (sql) => sql.writers.all().filter((row) => row.id !== writer && isDead(row)),
    wake(onBeat) {
      if (timer === undefined) tick(onBeat);
    },
    rest() {
      timer?.dispose();
      timer = undefined;
    },
    settled: () => beats,
  };
}

function identityOf({ pid, machine, started }: Pick<WriterRow, 'pid' | 'machine' | 'started'>) {
  return {
    pid,
    ...(machine === null ? {} : { machine }),
    ...(started === null ? {} : { startTime: started }),
  };
}

export function holderOf({ pid, host, since }: HolderRow): PlaceHolder {
  return { since, ...(pid === null ? {} : { pid }), ...(host === null ? {} : { host }) };
}
