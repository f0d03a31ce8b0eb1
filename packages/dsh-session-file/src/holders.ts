/**
 * Who holds a place, and whether it still can.
 * Owns: the life sign of this driver. Does not own: what follows from a holder's death.
 * 1. Death is shown only on the same machine: the process is gone, is a zombie, or its number belongs to a
 *    later one. Everywhere else, and for a process that is there and silent, the lease decides.
 * 2. While a place is held, the life sign is renewed three times per lease by a timer that keeps no process alive.
 */
import * as fs from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Clock, OnDiagnostic, Registration } from '@deepseek-ai/dsh-session';
import { errnoOf, type FilePort } from './file-port.ts';

export interface Holder {
  readonly pid: number;
  readonly host: string;
  /** The kernel's boot and process numbering that `pid` belongs to, where that can be known. */
  readonly machine?: string;
  /** When the process started, in the kernel's count, where that can be known. */
  readonly startTime?: string;
  /** The name of the driver's life sign. */
  readonly writer: string;
  readonly leaseMs: number;
  /** Unix epoch, milliseconds. */
  readonly since: number;
}

export type ProcessState =
  { readonly kind: 'gone' | 'unknown' } | { readonly kind: 'there'; readonly startTime: string };

/** What the machine tells of processes. */
export interface ProcessView {
  readonly self: Pick<Holder, 'pid' | 'host' | 'machine' | 'startTime'>;
  /** `unknown`: a process of that number may be there, or not. */
  look(pid: number): ProcessState;
}

function textOf(read: () => string): string | undefined {
  try {
    return read().trim();
  } catch {
    return undefined;
  }
}

/** `/proc/<pid>/stat`: the name in brackets may hold anything, so fields are counted from its end. */
function lookInProc(pid: number): ProcessState {
  const stat = textOf(() => fs.readFileSync(`/proc/${String(pid)}/stat`, 'utf8'));
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ') ?? [];
  const [state = 'X', startTime] = [fields[0], fields[19]];
  return state === 'Z' || state === 'X' || startTime === undefined
    ? { kind: 'gone' }
    : { kind: 'there', startTime };
}

function lookBySignal(pid: number): ProcessState {
  try {
    process.kill(pid, 0);
    return { kind: 'unknown' };
  } catch (error) {
    return { kind: errnoOf(error) === 'ESRCH' ? 'gone' : 'unknown' };
  }
}

export function systemProcesses(): ProcessView {
  const boot = textOf(() => fs.readFileSync('/proc/sys/kernel/random/boot_id', 'utf8'));
  const numbering = textOf(() => fs.readlinkSync('/proc/self/ns/pid'));
  const own = { pid: process.pid, host: hostname() };
  if (boot === undefined || numbering === undefined) {
    const machine = process.platform === 'linux' ? {} : { machine: own.host };
    return { self: { ...own, ...machine }, look: lookBySignal };
  }
  const me = lookInProc(process.pid);
  return {
    self: {
      ...own,
      machine: `${boot} ${numbering}`,
      ...(me.kind === 'there' ? { startTime: me.startTime } : {}),
    },
    look: lookInProc,
  };
}

export type Condition = 'holding' | 'dead' | 'silent';

export interface Holders {
  describe(): Holder;
  condition(holder: Holder): Promise<Condition>;
  /** Takes away the life sign of a holder that is shown dead. */
  bury(holder: Holder): Promise<void>;
  /** Shows life from now on, until {@link rest}. */
  wake(): Promise<void>;
  rest(): void;
  /** Takes the life sign away. */
  leave(): Promise<void>;
}

export interface HoldersOptions {
  readonly files: FilePort;
  readonly folder: string;
  readonly processes: ProcessView;
  readonly clock: Clock;
  readonly leaseMs: number;
  readonly writer: string;
  readonly onDiagnostic: OnDiagnostic;
}

export function createHolders(options: HoldersOptions): Holders {
  const { files, folder, processes, clock, leaseMs, writer } = options;
  const sign = join(folder, writer);
  let timer: Registration | undefined;
  let beats: Promise<void> = Promise.resolve();

  const beat = (): Promise<void> =>
    files.touch(sign, clock.now()).catch((cause: unknown) => {
      options.onDiagnostic({
        code: 'LEASE_NOT_RENEWED',
        level: 'warning',
        message:
          'the life sign of this writer could not be renewed; another process may take its places over',
        cause,
      });
    });
  const tick = (): void => {
    timer = clock.timer(leaseMs / 3, () => {
      tick();
      beats = beat();
    });
  };

  return {
    describe: () => ({ ...processes.self, writer, leaseMs, since: clock.now() }),
    async condition(holder) {
      if (shownDead(holder, processes)) return 'dead';
      const seen = (await files.facts(join(folder, holder.writer)))?.changedAt ?? 0;
      return clock.now() - Math.max(seen, holder.since) > holder.leaseMs ? 'silent' : 'holding';
    },
    async bury(holder) {
      if (shownDead(holder, processes)) await files.remove(join(folder, holder.writer));
    },
    async wake() {
      if (timer !== undefined) return;
      tick();
      await beat();
    },
    rest() {
      timer?.dispose();
      timer = undefined;
    },
    async leave() {
      await beats;
      await files.remove(sign);
    },
  };
}

function shownDead(holder: Holder, processes: ProcessView): boolean {
  if (holder.machine === undefined || holder.machine !== processes.self.machine) return false;
  const seen = processes.look(holder.pid);
  if (seen.kind === 'gone') return true;
  return seen.kind === 'there' && holder.startTime !== undefined && seen.startTime !== holder.startTime;
}
