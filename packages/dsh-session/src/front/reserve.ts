/**
 * Who gets an id of this store.
 * I1. An id is reserved in the synchronous span that finds it free, before anything is awaited.
 * I2. Whoever reserved an id either makes a resident of it or frees it.
 */
import { deferred, untilAborted } from '@dsh-internal/async';
import type { SessionId } from '../ids.ts';
import type { Session } from '../session.ts';
import { assertOpen, entry, takenHere, type Slot } from './store-status.ts';
import type { StoreContext } from './context.ts';
import type { Resident } from './resident.ts';

export interface Reservation {
  readonly id: SessionId;
  readonly code: 'SESSION_EXISTS' | 'SESSION_LIVE';
  /** For the refusal: `created`, `opened`. */
  readonly what: string;
  readonly signal?: AbortSignal | undefined;
}

/** Reserves the id while `work` runs (I1, I2). What `work` made resident stays; everything else frees the id. */
export async function reserve<T>(
  context: StoreContext,
  { id, code, what, signal }: Reservation,
  work: () => Promise<T>,
): Promise<T> {
  const { residents } = context;
  const { slots } = residents;
  for (;;) {
    assertOpen(residents.status, `session ${id} not ${what}`);
    signal?.throwIfAborted();
    const next = entry(slots.get(id));
    if (next.kind === 'enter') break;
    if (next.kind === 'refuse') throw takenHere(id, code, what);
    await untilAborted(next.gone, signal);
  }
  const gone = deferred();
  const slot: Slot<Resident> = { kind: 'starting', gone: gone.promise };
  slots.set(id, slot);
  try {
    return await work();
  } finally {
    if (slots.get(id) === slot) slots.delete(id);
    gone.resolve();
  }
}

/** Puts what was made under its id, unless the store began to close meanwhile: then it is closed and `STORE_CLOSED` thrown. */
export async function settleIn(context: StoreContext, resident: Resident, what: string): Promise<Session> {
  const { residents } = context;
  residents.slots.set(resident.session.id, { kind: 'live', resident });
  if (residents.status === 'open') return resident.session;
  await resident.close();
  assertOpen(residents.status, `session ${resident.session.id} not ${what}`);
  return resident.session;
}
