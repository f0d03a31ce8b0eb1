/**
 * Makes the history usable before the first turn, and lets the inbox learn what it says of messages (A28, A31).
 * I1. Only the first load waits.
 * I2. Nothing is claimed before the messages of the log are known, so none is claimed twice.
 */
import type { Session, SessionEvent } from '@deepseek-ai/dsh-session';
import { untilAborted } from '@dsh-internal/async';
import type { CancelCause } from './agent.ts';
import type { Inbox } from './inbox.ts';

export interface HistoryGate {
  /** Learns what the log says if that is in memory already. */
  look(): void;
  /** Rejects with what the Session finds damaged; the inbox is parked then, and nothing is lost. */
  load(signal: AbortSignal): Promise<void>;
}

const notLoaded: CancelCause = { code: 'NOT_LOADED' };

export function createHistoryGate(session: Session, inbox: () => Inbox): HistoryGate {
  let known = false;
  let ready = false;
  const learn = (): void => {
    if (known) return;
    const own = ownEvents(session);
    if (own === undefined) return;
    known = true;
    inbox().learn(own);
  };
  return {
    look: learn,
    async load(signal) {
      if (ready) return;
      try {
        await untilAborted(session.ready(), signal);
      } catch (error) {
        signal.throwIfAborted();
        inbox().state.park(notLoaded);
        throw error;
      }
      ready = true;
      learn();
    },
  };
}

/** Of the Session itself: what a fork inherited was not said to it. */
function ownEvents(session: Session): readonly SessionEvent[] | undefined {
  try {
    return session.events(session.header.seedLength ?? 0);
  } catch {
    return undefined;
  }
}
