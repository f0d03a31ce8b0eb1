/** The processes of this machine: by `/proc` where that is, else by signals. */
import * as fs from 'node:fs';
import { hostname } from 'node:os';
import type { ProcessState, ProcessView } from './process-view.ts';

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
    return { kind: (error as NodeJS.ErrnoException).code === 'ESRCH' ? 'gone' : 'unknown' };
  }
}

export function systemProcesses(): ProcessView {
  const boot = textOf(() => fs.readFileSync('/proc/sys/kernel/random/boot_id', 'utf8'));
  const numbering = textOf(() => fs.readlinkSync('/proc/self/ns/pid'));
  const own = { pid: process.pid, host: hostname() };
  if (boot === undefined || numbering === undefined) {
    // Without /proc, Linux may hide processes of other containers behind equal numbers.
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
