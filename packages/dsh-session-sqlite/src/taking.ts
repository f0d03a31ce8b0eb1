/**
 * Taking and giving back a writer's place, each within one transaction.
 * 1. A log is referred to by its place before anything else of it is there, so that it is never taken for garbage.
 */
import { sessionError, type SeedPrefix, type SessionId } from '@deepseek-ai/dsh-session';
import { holderOf, type Life } from './life.ts';
import { addFork, addLog, collect, lengthOf } from './logs.ts';
import { notFound, requireSession } from './reading.ts';
import type { HolderRow, Statements } from './statements.ts';
import { PIECE } from './sweeper.ts';

export interface Ask {
  readonly id: SessionId;
  readonly intent: 'create' | 'open';
  readonly prefix?: SeedPrefix | undefined;
}

export interface Claim {
  readonly token: string;
  readonly writer: string;
  readonly since: number;
}

export interface Taken {
  readonly length: number;
  /** The dead or silent holder of before. */
  readonly former?: HolderRow | undefined;
}

export function take(sql: Statements, life: Life, ask: Ask, claim: Claim): Taken {
  const { id, intent, prefix } = ask;
  const stored = sql.session.get(id);
  if (intent === 'open' && stored === undefined) throw notFound(id);
  if (intent === 'create' && stored !== undefined)
    throw sessionError('SESSION_EXISTS', `session ${id} was not created: it is stored`);
  const former = formerHolder(sql, life, id);
  const log = stored?.log ?? (prefix === undefined ? addLog(sql, null, 0) : forkOf(sql, prefix));
  sql.putPlace.run(id, claim.token, claim.writer, claim.since, log);
  if (former !== undefined) abandon(sql, former);
  const start = sql.log.get(log)?.start ?? 0;
  return { length: lengthOf(sql, log, start), former };
}

/** Rejects `SESSION_LOCKED` where the place is held by one that may still write. */
export function formerHolder(sql: Statements, life: Life, id: SessionId): HolderRow | undefined {
  const row = sql.holder.get(id);
  if (row === undefined || !life.holds(row)) return row;
  const holder = holderOf(row);
  const who = `process ${String(row.pid)} of ${String(row.host)}`;
  throw sessionError('SESSION_LOCKED', `session ${id} is held by ${who}`, { holder });
}

function forkOf(sql: Statements, { session, length }: SeedPrefix): number {
  const { log } = requireSession(sql, session);
  const there = lengthOf(sql, log, sql.log.get(log)?.start ?? 0);
  if (length > there)
    throw sessionError('INVALID_PREFIX', `session ${session} holds ${there} events, and not ${length}`);
  return addFork(sql, log, length);
}

/** Gives false where more garbage was left than goes at once. */
export function abandon(
  sql: Statements,
  { log, draft }: { readonly log: number; readonly draft: number | null },
): boolean {
  const logs = draft === null ? [log] : [draft, log];
  return logs.map((one) => collect(sql, one, PIECE)).every(Boolean);
}

/** Does nothing where the place is not held under this token. */
export function giveBack(sql: Statements, id: string, token: string): void {
  const row = sql.dropPlace.get(id, token);
  if (row !== undefined) abandon(sql, row);
}

/** Of the dead, what was never stored goes; the places of stored Sessions stay, for whoever takes them over to hear. */
export function bury(sql: Statements, life: Life): void {
  for (const { id } of life.dead(sql)) {
    for (const { session, token } of sql.unstoredOf.all(id)) giveBack(sql, session, token);
    sql.dropIdleWriter.run(id, id);
  }
}
