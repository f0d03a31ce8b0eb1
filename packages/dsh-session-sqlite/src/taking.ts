/**
 * Taking and giving back a writer's place, each within one transaction.
 * I1. A log is referred to by its place before anything else of it is there, so that it is never taken for garbage.
 */
import { sessionError, type PlaceHolder, type SeedPrefix, type SessionId } from '@deepseek-ai/dsh-session';
import { holderOf, type Life } from './life.ts';
import { abandon, addFork, addLog, lengthOf } from './logs.ts';
import { notFound, requireSession } from './reading.ts';
import type { HolderRow, SessionRow, Statements } from './statements.ts';

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
  readonly takenOver?: PlaceHolder;
  readonly summary?: string;
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
  if (former !== undefined) abandon(sql, [former.draft, former.log]);
  const start = sql.log.get(log)?.start ?? 0;
  const length = lengthOf(sql, log, start);
  return stored === undefined ? { length } : { length, ...inheritance(sql, stored, former) };
}

/** What the holders before have left for this one. A take-over is told until somebody has written. */
function inheritance(
  sql: Statements,
  { id, taken_over: before }: SessionRow,
  former: HolderRow | undefined,
): Omit<Taken, 'length'> {
  const text = former === undefined ? before : JSON.stringify(holderOf(former));
  if (text !== before) sql.setTakenOver.run(text, id);
  const summary = sql.summary.get(id);
  return {
    ...(text === null ? {} : { takenOver: JSON.parse(text) as PlaceHolder }),
    ...(summary === undefined ? {} : { summary }),
  };
}

/** Rejects `SESSION_LOCKED` where the place is held by one that may still write. */
export function formerHolder(sql: Statements, life: Life, id: SessionId): HolderRow | undefined {
  const row = sql.holder.get(id);
  if (row === undefined || !life.holds(row)) return row;
  const holder = holderOf(row);
  const who = `process ${String(row.pid)} on ${String(row.host)}, since ${new Date(row.since).toISOString()}`;
  const message = `the writer's place of session ${id} was not taken: held by ${who}`;
  throw sessionError('SESSION_LOCKED', message, { holder });
}

function forkOf(sql: Statements, { session, length }: SeedPrefix): number {
  const { log } = requireSession(sql, session);
  const there = lengthOf(sql, log, sql.log.get(log)?.start ?? 0);
  if (length > there)
    throw sessionError('INVALID_PREFIX', `session ${session} holds ${there} events, and not ${length}`);
  return addFork(sql, log, length);
}

/** Does nothing where the place is not held under this token. */
export function giveBack(sql: Statements, id: string, token: string, summary?: string): void {
  const row = sql.dropPlace.get(id, token);
  if (row === undefined) return;
  if (summary !== undefined) sql.putSummary.run(summary, id);
  abandon(sql, [row.draft, row.log]);
}

/** Of the dead, what was never stored goes; the places of stored Sessions stay, for whoever takes them over to hear. */
export function bury(sql: Statements, life: Life): void {
  for (const { id } of life.dead(sql)) {
    for (const { session, token } of sql.unstoredOf.all(id)) giveBack(sql, session, token);
    sql.dropIdleWriter.run(id, id);
  }
}
