/** A folder of its own, and processes and a clock that a test decides about. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { Clock, SessionDriver } from '@deepseek-ai/dsh-session';
import type { ProcessView } from '@dsh-internal/processes';
import { createSqliteDriver, type SqliteDriverOptions, type SqliteDriverPorts } from '../../src/driver.ts';

export const leaseMs = 30_000;

export interface StageOptions extends Partial<Omit<SqliteDriverOptions, 'synchronous'>>, SqliteDriverPorts {
  readonly host?: string;
}

export interface Stage {
  readonly path: string;
  /** A driver of a new living process. Disposed of with the stage. */
  driver(more?: StageOptions): SessionDriver;
  /** All processes end without a word. */
  crash(): void;
  /** Time passes, and no timer fires: everybody sleeps. */
  sleep(ms: number): void;
  /** The timers of all processes fire once, and what they begin has come to its end. */
  beat(): Promise<void>;
  /** What the file holds, seen and changed by another connection. */
  raw<T>(work: (db: Database.Database) => T): T;
  /** All drivers are disposed of, so that the file is closed. */
  close(): Promise<void>;
  dispose(): Promise<void>;
}

export async function openStage(): Promise<Stage> {
  const folder = await mkdtemp(join(tmpdir(), 'dsh-session-sqlite-'));
  return stageAt(join(folder, 'store', 'sessions.sqlite'), folder);
}

export function stageAt(path: string, folder: string): Stage {
  let now = Date.now();
  let pid = 1000;
  const living = new Set<number>();
  const drivers: SessionDriver[] = [];
  const timers = new Set<() => void>();
  const clock: Clock = {
    now: () => now,
    timer(_, run) {
      const fire = (): void => {
        timers.delete(fire);
        run();
      };
      timers.add(fire);
      const dispose = (): void => {
        timers.delete(fire);
      };
      return { dispose, [Symbol.dispose]: dispose };
    },
  };
  const view = (host: string): ProcessView => {
    pid += 1;
    living.add(pid);
    return {
      self: { pid, host, machine: host, startTime: `started ${pid}` },
      look: (other) =>
        living.has(other) ? { kind: 'there', startTime: `started ${other}` } : { kind: 'gone' },
    };
  };
  const close = async (): Promise<void> => {
    await Promise.all(drivers.splice(0).map((made) => made[Symbol.asyncDispose]()));
  };
  return {
    path,
    driver({ host = 'here', processes = view(host), synchronous = 'off', onConnect, pause, ...more } = {}) {
      const ports = { processes, synchronous, onConnect, ...(pause === undefined ? {} : { pause }) };
      const made = createSqliteDriver({ path, clock, leaseMs, ...more }, ports);
      drivers.push(made);
      return made;
    },
    crash() {
      living.clear();
    },
    sleep(ms) {
      now += ms;
    },
    async beat() {
      for (const fire of [...timers]) fire();
      for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    },
    raw(work) {
      const db = new Database(path);
      try {
        return work(db);
      } finally {
        db.close();
      }
    },
    close,
    async dispose() {
      await close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
