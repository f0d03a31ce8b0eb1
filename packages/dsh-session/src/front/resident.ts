/**
 * One Session that is live here, and how it begins and stops to be written.
 * I1. A resident ends once: closed, discarded or fenced. After that nothing of it is written.
 */
import { untilAborted } from '@dsh-internal/async';
import { sessionError } from '../errors.ts';
import type { SessionId } from '../ids.ts';
import type { LiveSession } from '../live/live-session.ts';
import type { Session, WaitOptions } from '../session.ts';
import type { Slot, StoreStatus } from './store-status.ts';
import type { WriteQueue } from '../writing/write-queue.ts';
import type { StoreContext } from './context.ts';
import { giveBack } from './place.ts';

export interface Resident {
  readonly live: LiveSession;
  readonly session: Session;
  readonly queue: WriteQueue;
  /** `provisional` until commit: nothing is written. `ended` for good. */
  phase: 'provisional' | 'writing' | 'ended';
  /** Ends the following of the place's own signal. */
  readonly unfollow: () => void;
  readonly close: () => Promise<void>;
}

export interface Residents {
  status: StoreStatus;
  readonly slots: Map<SessionId, Slot<Resident>>;
  readonly bySession: WeakMap<Session, Resident>;
}

export function createResidents(): Residents {
  return { status: 'open', slots: new Map(), bySession: new WeakMap() };
}

/** The resident behind a Session of this store. Throws `SESSION_NOT_FOUND` for one of another. */
export function residentOf(context: StoreContext, session: Session, what: string): Resident {
  const resident = context.residents.bySession.get(session);
  if (resident !== undefined) return resident;
  throw sessionError('SESSION_NOT_FOUND', `session ${session.id} not ${what}: it is not of this store`);
}

/** Lets the resident be written from now on. A prefix alone is worth a header; a Session without any event is not (S4). */
export function startWriting(context: StoreContext, resident: Resident): void {
  resident.phase = 'writing';
  if (resident.session.length > 0) resident.queue.needHeader();
  context.writer.add(resident.queue, (error) => {
    fence(context, resident, error);
  });
}

export function commit(context: StoreContext, session: Session): void {
  const resident = residentOf(context, session, 'committed');
  if (resident.phase === 'ended')
    throw sessionError('SESSION_CLOSED', `session ${session.id} not committed: it is closed`);
  if (resident.phase === 'provisional') startWriting(context, resident);
}

export async function flush(
  context: StoreContext,
  session: Session,
  { signal }: WaitOptions,
): Promise<boolean> {
  const { queue, phase } = residentOf(context, session, 'flushed');
  signal?.throwIfAborted();
  if (phase === 'provisional')
    throw sessionError('NOT_DURABLE', `session ${session.id} not flushed: it is provisional`);
  if (phase === 'writing') await untilAborted(context.writer.flush(queue), signal);
  else if (session.durableLength < session.length) {
    const code = session.lost.aborted ? 'FENCED' : 'SESSION_CLOSED';
    throw sessionError(code, `session ${session.id} not durable from event ${session.durableLength} on`);
  }
  return context.driver.manifest.outlivesProcess;
}

/** Nothing more is written of it, and who waits for that is told why (I1). */
export function endWriting(context: StoreContext, resident: Resident, error: Error): void {
  resident.phase = 'ended';
  resident.unfollow();
  context.writer.remove(resident.queue);
  resident.queue.end(error);
}

/** The place is another's: no retry (S21). */
export function fence(context: StoreContext, resident: Resident, cause: unknown): void {
  const { session, queue, live } = resident;
  const error = sessionError(
    'FENCED',
    `session ${session.id} is not written any more: its place is another's`,
    { cause },
  );
  endWriting(context, resident, error);
  live.lose(error);
  const slot = context.residents.slots.get(session.id);
  if (slot?.kind === 'live' && slot.resident === resident) context.residents.slots.delete(session.id);
  context.report({ code: 'fenced', level: 'error', message: error.message, sessionId: session.id, cause });
  giveBack(context, queue.place).catch(() => undefined);
}
