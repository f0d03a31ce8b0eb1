/**
 * One Session that is live here, and how it begins and stops to be written.
 * 1. A resident ends once: closed, discarded or fenced. After that nothing of it is written.
 */
import { sessionError } from '../errors.ts';
import type { SessionId } from '../ids.ts';
import type { LiveSession } from '../live-session.ts';
import type { Session } from '../session.ts';
import type { Slot, StoreStatus } from '../store-status.ts';
import type { WriteQueue } from '../write-queue.ts';
import type { StoreContext } from './context.ts';

export interface Resident {
  readonly live: LiveSession;
  readonly session: Session;
  readonly queue: WriteQueue;
  /** `held` until commit: nothing is written. `ended` for good. */
  phase: 'held' | 'writing' | 'ended';
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

/** Lets the resident be written from now on. A prefix alone is worth a header; a Session without any event is not (S4). */
export function startWriting(context: StoreContext, resident: Resident): void {
  resident.phase = 'writing';
  if (resident.session.length > 0) resident.queue.needHeader();
  context.writer.add(resident.queue, (error) => {
    fence(context, resident, error);
  });
}

/** The place is another's: nothing more is written, no retry (S21). */
export function fence(context: StoreContext, resident: Resident, cause: unknown): void {
  const { session, queue, live } = resident;
  const error = sessionError(
    'FENCED',
    `session ${session.id} is not written any more: its place is another's`,
    { cause },
  );
  resident.phase = 'ended';
  resident.unfollow();
  context.writer.remove(queue);
  queue.end(error);
  live.lose(error);
  const slot = context.residents.slots.get(session.id);
  if (slot?.kind === 'live' && slot.resident === resident) context.residents.slots.delete(session.id);
  context.report({ code: 'fenced', level: 'error', message: error.message, sessionId: session.id, cause });
  context.driver.release(queue.place).catch((reason: unknown) => {
    context.report({
      code: 'release-failed',
      level: 'warning',
      message: `the place of ${session.id} was not given back`,
      sessionId: session.id,
      cause: reason,
    });
  });
}
