/**
 * [pure] What a durable inbox writes into the log, and how an inbox is made of that again (A31).
 * I1. A claim has no event of its own: the `user/message` with the id is the record of it.
 * I2. Read in order, the events give the inbox that wrote them: entries, order, outcomes, and the mark of a cancel.
 *     A mark that a failure has set is not written: opening the Session anew is another try.
 */
import type { MessageId, SessionEvent, UserMessage } from '@deepseek-ai/dsh-session';
import type { Boundary, CancelCause, DiscardReason, InboxEntry } from './agent.ts';
import type { InboxState } from './inbox-state.ts';
import { messageBytes } from './message-input.ts';

/** What a durable inbox has accepted. */
export interface InboxAccepted {
  readonly message: UserMessage;
  readonly boundary: Boundary;
  readonly wake: boolean;
}

declare module '@deepseek-ai/dsh-session' {
  interface SessionEventMap {
    /** The first event of a durable inbox. Essential: who does not know it would lose what waits. */
    readonly 'inbox/durable': { readonly version: 1 };
    readonly 'inbox/accepted': InboxAccepted;
    readonly 'inbox/discarded': { readonly ids: readonly MessageId[]; readonly reason: DiscardReason };
    /** By a cancel that kept what waits. */
    readonly 'inbox/parked': { readonly cause: CancelCause };
    readonly 'inbox/unparked': Readonly<Record<string, never>>;
  }
}

/** The event types that a store has to know for a program with agents. */
export const inboxVocabulary: readonly string[] = [
  'inbox/durable',
  'inbox/accepted',
  'inbox/discarded',
  'inbox/parked',
  'inbox/unparked',
];

/** `opening` are a Session's own events before its first turn. */
export function hasDurableInbox(opening: readonly SessionEvent[]): boolean {
  return opening.some(({ type }) => type === 'inbox/durable');
}

/** Takes the own events of a Session into an inbox in which nothing was accepted yet (I2). */
export function restoreInbox(
  state: Pick<InboxState, 'accept' | 'discard' | 'learn' | 'outcome' | 'park' | 'unpark'>,
  events: readonly SessionEvent[],
): void {
  for (const event of events) {
    switch (event.type) {
      case 'inbox/accepted':
        if (state.outcome(event.data.message.id) === 'unknown') {
          state.accept(entryOf(event.data), messageBytes(event.data.message));
        }
        break;
      case 'user/message':
        state.learn(event.data.id, event.seq);
        break;
      case 'inbox/discarded':
        for (const id of event.data.ids) state.discard(id, event.data.reason);
        break;
      case 'inbox/parked':
        state.park(event.data.cause);
        break;
      case 'inbox/unparked':
        state.unpark();
        break;
      default:
        break;
    }
  }
}

function entryOf({ message, boundary, wake }: InboxAccepted): InboxEntry {
  return Object.freeze({ message, boundary, wake });
}
