/**
 * Makes the history usable before the first turn, and learns which messages it holds (A28).
 * I1. Only the first load waits.
 * I2. Nothing is claimed before the messages of the log are known, so none is claimed twice.
 */
import type { MessageId, Session } from '@deepseek-ai/dsh-session';
import { untilAborted } from '@dsh-internal/async';
import type { CancelCause } from './agent.ts';
import { rememberedOutcomes } from './inbox-state.ts';
import type { Inbox } from './inbox.ts';

export interface HistoryGate {
  /** Learns the messages of the log if that is in memory already. */
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
    const logged = loggedMessages(session);
    if (logged === undefined) return;
    known = true;
    inbox().learn(logged);
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

/** The last user messages of the Session itself: what a fork inherited was not said to it. */
function loggedMessages(session: Session): { readonly id: MessageId; readonly seq: number }[] | undefined {
  let events;
  try {
    events = session.events(session.header.seedLength ?? 0);
  } catch {
    return undefined;
  }
  const logged: { readonly id: MessageId; readonly seq: number }[] = [];
  for (let index = events.length - 1; index >= 0 && logged.length < rememberedOutcomes; index -= 1) {
    const event = events[index];
    if (event?.type === 'user/message') logged.push({ id: event.data.id, seq: event.seq });
  }
  return logged.reverse();
}
