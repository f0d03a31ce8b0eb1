/** [pure] What a caller may set of a store, checked before anything is opened. */
import { sessionError } from './errors.ts';
import type { SessionStoreOptions, Vocabulary } from './store.ts';

export interface StoreBounds {
  readonly closeTimeoutMs: number;
  readonly maxPendingBytes: { readonly session: number; readonly store: number };
}

const mebi = 2 ** 20;

/** Throws `INVALID_OPTION`, naming the option. */
export function boundsOf({ closeTimeoutMs, maxPendingBytes }: SessionStoreOptions): StoreBounds {
  return {
    closeTimeoutMs: bound('closeTimeoutMs', closeTimeoutMs, 10_000),
    maxPendingBytes: {
      session: bound('maxPendingBytes.session', maxPendingBytes?.session, 8 * mebi),
      store: bound('maxPendingBytes.store', maxPendingBytes?.store, 64 * mebi),
    },
  };
}

function bound(name: string, value: number | undefined, otherwise: number): number {
  if (value === undefined) return otherwise;
  if (typeof value !== 'number' || !(value >= 0))
    throw refused('store not opened', name, value, 'a number from 0 up');
  return value;
}

/** Throws `INVALID_OPTION`; nothing is learned then. */
export function checkVocabulary(value: Vocabulary, what: string): Vocabulary {
  const given: unknown = value;
  if (!Array.isArray(given) || !given.every((type) => typeof type === 'string' && type !== ''))
    throw refused(what, 'vocabulary', given, 'a list of event types');
  return value;
}

/** Throws `INVALID_OPTION`. */
export function checkListener<Listener>(listener: Listener): Listener {
  if (typeof listener !== 'function')
    throw refused('nobody subscribed', 'the listener', listener, 'a function');
  return listener;
}

function refused(what: string, name: string, value: unknown, wanted: string): Error {
  const shown = typeof value === 'object' && value !== null ? 'an object' : String(value);
  return sessionError('INVALID_OPTION', `${what}: ${name} is ${shown}, and not ${wanted}`);
}
