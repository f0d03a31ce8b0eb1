/**
 * How a resident ends by the will of its owner.
 * 1. It is sealed at once; what was appended before that gets one bounded try (S11).
 * 2. Its place is given back whatever the result of that.
 */
import { deferred, untilAborted } from '@dsh-internal/async';
import type { Clock } from '../clock.ts';
import type { StoredEvent } from '../driver.ts';
import { sessionError } from '../errors.ts';
import type { Session, WaitOptions } from '../session.ts';
import type { StoreContext } from './context.ts';
import { startWriting, type Resident } from './resident.ts';

/** The resident behind a Session of this store. Throws `SESSION_NOT_FOUND` for one of another. */
export function residentOf(context: StoreContext, session: Session, what: string): Resident {
  const resident = context.residents.bySession.get(session);
  if (resident !== undefined) return resident;
  throw sessionError('SESSION_NOT_FOUND', `session ${session.id} not ${what}: it is not of this store`);
}

export async function flush(
  context: StoreContext,
  session: Session,
  { signal }: WaitOptions,
): Promise<boolean> {
  const resident = residentOf(context, session, 'flushed');
  const { queue, phase } = resident;
  signal?.throwIfAborted();
  if (phase === 'held')
    throw sessionError('NOT_DURABLE', `session ${session.id} not flushed: it is provisional`);
  if (phase === 'writing') await untilAborted(context.writer.flush(queue), signal);
  else if (session.durableLength < session.length) {
    const code = session.lost.aborted ? 'FENCED' : 'SESSION_CLOSED';
    throw sessionError(code, `session ${session.id} not durable from event ${session.durableLength} on`);
  }
  return context.driver.manifest.outlivesProcess;
}

export function commit(context: StoreContext, session: Session): void {
  const resident = residentOf(context, session, 'committed');
  if (resident.phase === 'ended')
    throw sessionError('SESSION_CLOSED', `session ${session.id} not committed: it is closed`);
  if (resident.phase === 'held') startWriting(context, resident);
}

export function discard(context: StoreContext, session: Session): void {
  const resident = residentOf(context, session, 'discarded');
  if (resident.phase === 'writing')
    throw sessionError('SESSION_LIVE', `session ${session.id} not discarded: it was committed`);
  resident.close().catch((cause: unknown) => {
    context.report({
      code: 'release-failed',
      level: 'warning',
      message: `session ${session.id} was discarded`,
      sessionId: session.id,
      cause,
    });
  });
}

/** Waits for the end of a resident; the signal ends the waiting alone. */
export async function closeSession(resident: Resident, { signal }: WaitOptions): Promise<void> {
  const closed = resident.close();
  // Who gave up waiting hears nothing more of it.
  closed.catch(() => undefined);
  await untilAborted(closed, signal);
}

/** Run once per resident. Rejects `NOT_DURABLE` for what could not be written. */
export async function closeResident(context: StoreContext, resident: Resident): Promise<void> {
  const { session, queue, live, phase } = resident;
  const { slots } = context.residents;
  if (phase === 'ended') {
    reportLoss(session, queue.durableLength, undefined);
    return;
  }
  const gone = deferred();
  const slot = { kind: 'closing', gone: gone.promise } as const;
  slots.set(session.id, slot);
  live.seal();
  const failure = phase === 'held' ? undefined : await lastFlush(context, resident);
  const fenced = session.lost.aborted;
  if (!fenced) await leave(context, resident);
  if (slots.get(session.id) === slot) slots.delete(session.id);
  gone.resolve();
  if (phase !== 'held') reportLoss(session, queue.durableLength, failure);
}

async function lastFlush(context: StoreContext, resident: Resident): Promise<unknown> {
  try {
    await withinMs(context.clock, context.closeTimeoutMs, context.writer.flush(resident.queue));
    return undefined;
  } catch (error) {
    return error;
  }
}

async function leave(context: StoreContext, resident: Resident): Promise<void> {
  const { session, queue, live } = resident;
  // A summary of what is not stored would not fit.
  const kept =
    resident.phase === 'writing' && queue.clean && session.length > 0 ? { summary: live.summary() } : {};
  resident.phase = 'ended';
  resident.unfollow();
  context.writer.remove(queue);
  queue.end(sessionError('SESSION_CLOSED', `session ${session.id} is closed`));
  try {
    await withinMs(context.clock, context.closeTimeoutMs, context.driver.release(queue.place, kept));
  } catch (cause) {
    const message = `the place of session ${session.id} was not given back`;
    context.report({ code: 'release-failed', level: 'warning', message, sessionId: session.id, cause });
  }
}

function reportLoss(session: Session, durable: number, cause: unknown): void {
  if (durable >= session.length) return;
  throw sessionError(
    'NOT_DURABLE',
    `session ${session.id} closed without its events from ${durable} to ${session.length}`,
    { cause },
  );
}

/** Settles like `work`, or rejects when `ms` are over; `work` itself goes on. */
async function withinMs(clock: Clock, ms: number, work: Promise<void>): Promise<void> {
  const late = deferred<never>();
  const timer = clock.timer(ms, () => {
    late.reject(new Error(`it took longer than ${ms} ms`));
  });
  try {
    await Promise.race([work, late.promise]);
  } finally {
    timer.dispose();
  }
}

/** Writes one batch of a Session that has no resident, say after a repair. */
export async function writeAlone(
  context: StoreContext,
  place: Resident['queue']['place'],
  base: number,
  events: readonly StoredEvent[],
): Promise<void> {
  const [result] = await context.driver.append([{ place, base, events }]);
  if (result === undefined)
    throw sessionError('NOT_DURABLE', `session ${place.id} not written: the driver gave no answer`);
  if (!result.ok) throw result.error;
}
