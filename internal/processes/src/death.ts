/**
 * When a process can be shown dead.
 * I1. Only on the same machine: it is gone, is a zombie, or its number belongs to a later process.
 */
import type { ProcessIdentity, ProcessView } from './process-view.ts';

export function shownDead(
  process: Pick<ProcessIdentity, 'pid' | 'machine' | 'startTime'>,
  view: ProcessView,
): boolean {
  if (process.machine === undefined || process.machine !== view.self.machine) return false;
  const seen = view.look(process.pid);
  if (seen.kind === 'gone') return true;
  return seen.kind === 'there' && process.startTime !== undefined && seen.startTime !== process.startTime;
}
