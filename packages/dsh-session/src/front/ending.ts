/**
 * How a resident ends by the will of its owner.
 * I1. It is sealed at once; what was appended before that gets one bounded try (S11).
 * I2. Its place is given back whatever the result of that.
 */
import { deferred, untilAborted } from '@dsh-internal/async';
import { sessionError } from '../errors.ts';
import type { Session, WaitOptions } from '../session.ts';
import type { StoreContext } from './context.ts';
import { giveBack } from './place.ts';
import { endWriting, residentOf, type Resident } from './resident.ts';
import { withinMs } from './within-ms.ts';

export function discard(context: StoreContext, session: Session): void {
  const resident = residentOf(context, session, 'discarded');
  if (resident.phase === 'writing')
    throw sessionError('SESSION_LIVE', `session ${session.id} not discarded: it was committed`);
  // Nothing of it was to be written, so its end loses nothing and cannot fail.
  if (resident.phase === 'provisional') resident.close().catch(() => undefined);
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
  const failure = phase === 'provisional' ? undefined : await lastFlush(context, resident);
  const fenced = session.lost.aborted;
  if (!fenced) await leave(context, resident);
  if (slots.get(session.id) === slot) slots.delete(session.id);
  gone.resolve();
  if (phase !== 'provisional') reportLoss(session, queue.durableLength, failure);
}

async function lastFlush(context: StoreContext, resident: Resident): Promise<unknown> {
  try {
    await withinMs(context.clock, context.closeTimeoutMs, context.writer.flush(resident.queue));
    return undefined;
  } catch (error) {
    return error;
  }
}

function leave(context: StoreContext, resident: Resident): Promise<void> {
  const { session, queue, live } = resident;
  // A summary of what is not stored would not fit.
  const fits = resident.phase === 'writing' && queue.clean && session.length > 0;
  const summary = fits ? live.summary() : undefined;
  endWriting(context, resident, sessionError('SESSION_CLOSED', `session ${session.id} is closed`));
  return giveBack(context, queue.place, { summary, atMostMs: context.closeTimeoutMs });
}

function reportLoss(session: Session, durable: number, cause: unknown): void {
  if (durable >= session.length) return;
  throw sessionError(
    'NOT_DURABLE',
    `session ${session.id} closed without its events from ${durable} to ${session.length}`,
    { cause },
  );
}
