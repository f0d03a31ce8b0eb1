/**
 * Makes the history usable before the first turn, and lets the inbox learn what it says of messages (A28, A31).
 * I1. Only the first load waits.
 * I2. No turn begins before the messages of the log are known: none is claimed twice, and none that came again
 *     makes a turn of its own.
 * I3. A wait ends when somebody leaves it; the reading goes on, and the next wait is for the same.
 */
import type { Session, SessionEvent } from '@deepseek-ai/dsh-session';
import { untilAborted } from '@dsh-internal/async';
import type { Inbox } from './inbox.ts';

export type LoadResult =
  | { readonly kind: 'loaded' }
  /** What the Session finds damaged, or why it cannot be read. Another load tries again. */
  | { readonly kind: 'failed'; readonly error: unknown }
  | { readonly kind: 'left' };

export interface HistoryGate {
  /** All is in memory. */
  readonly loaded: boolean;
  /** Learns what the log says if that is in memory already. */
  look(): void;
  /** Waits until all is in memory. Never rejects. */
  load(): Promise<LoadResult>;
  /** Ends the wait of `load`, if there is one. */
  leave(): void;
}

export function createHistoryGate(session: Session, inbox: () => Inbox): HistoryGate {
  let known = false;
  let loaded = false;
  let wait: AbortController | undefined;
  const look = (): void => {
    if (known) return;
    const own = eventsFrom(session, session.header.seedLength ?? 0);
    if (own === undefined) return;
    known = true;
    inbox().learn(own);
  };
  const arrived = (): LoadResult => {
    loaded = true;
    look();
    return { kind: 'loaded' };
  };
  return {
    get loaded() {
      return loaded;
    },
    look,
    async load() {
      if (eventsFrom(session, 0) !== undefined) return arrived();
      const own = new AbortController();
      wait = own;
      try {
        await untilAborted(session.ready(), own.signal);
        return arrived();
      } catch (error) {
        return own.signal.aborted ? { kind: 'left' } : { kind: 'failed', error };
      } finally {
        wait = undefined;
      }
    },
    leave() {
      wait?.abort();
    },
  };
}

/** From a Session's own part on: what a fork inherited was not said to it. */
function eventsFrom(session: Session, seq: number): readonly SessionEvent[] | undefined {
  try {
    return session.events(seq);
  } catch {
    return undefined;
  }
}
