/**
 * [pure] What a store admits, and what stands under an id in this process.
 * I1. A store goes from open to closing to closed, and never back.
 */
import { sessionError } from '../errors.ts';
import type { SessionId } from '../ids.ts';

export type StoreStatus = 'open' | 'closing' | 'closed';

/** One id of this process. `gone` resolves when the slot is free again, or has become live. */
export type Slot<Resident> =
  | { readonly kind: 'starting'; readonly gone: Promise<void> }
  | { readonly kind: 'live'; readonly resident: Resident }
  | { readonly kind: 'closing'; readonly gone: Promise<void> };

/** What a caller does who wants an id for itself. */
export type Entry =
  | { readonly kind: 'enter' }
  | { readonly kind: 'wait'; readonly gone: Promise<void> }
  | { readonly kind: 'refuse' };

/** A closing Session gives its id free in bounded time; anything else keeps it. */
export function entry(slot: Slot<unknown> | undefined): Entry {
  switch (slot?.kind) {
    case undefined:
      return { kind: 'enter' };
    case 'closing':
      return { kind: 'wait', gone: slot.gone };
    case 'starting':
    case 'live':
      return { kind: 'refuse' };
  }
}

/** Throws `STORE_CLOSED` unless the store is open. */
export function assertOpen(status: StoreStatus, what: string): void {
  if (status !== 'open') throw sessionError('STORE_CLOSED', `${what}: the store is ${status}`);
}

/** The refusal of an id that is taken here. */
export function takenHere(id: SessionId, code: 'SESSION_EXISTS' | 'SESSION_LIVE', what: string): Error {
  return sessionError(code, `session ${id} not ${what}: it is live in this store`);
}
