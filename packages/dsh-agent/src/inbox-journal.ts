/**
 * Where an inbox is written down: nowhere, or in the log of its Session (A31).
 * I1. An acceptance is in the log in the span of the call, or it has not happened.
 * I2. Whatever else cannot be logged has happened all the same, and is reported.
 */
import type { Session } from '@deepseek-ai/dsh-session';
import type { CancelCause, DiscardReason, InboxEntry } from './agent.ts';
import { messageOf } from './thrown.ts';

export interface InboxJournal {
  readonly durable: boolean;
  /** Throws what the log throws (I1). */
  accepted(entry: InboxEntry): void;
  discarded(entries: readonly InboxEntry[], reason: DiscardReason): void;
  parked(cause: CancelCause): void;
  unparked(): void;
}

const nothing = (): void => undefined;

/** A crash loses what waits. */
export const processJournal: InboxJournal = {
  durable: false,
  accepted: nothing,
  discarded: nothing,
  parked: nothing,
  unparked: nothing,
};

export type ReportUnlogged = (message: string, cause: unknown) => void;

export function durableJournal(session: Session, report: ReportUnlogged): InboxJournal {
  const attempt = (what: string, write: () => void): void => {
    // Its place is another's, or it is closed: what happens here is no part of that history.
    if (session.sealed) return;
    try {
      write();
    } catch (cause) {
      report(`${what} is not in the log of session ${session.id}: ${messageOf(cause)}`, cause);
    }
  };
  return {
    durable: true,
    accepted({ message, boundary, wake }) {
      session.append('inbox/accepted', { message, boundary, wake });
    },
    discarded(entries, reason) {
      const ids = entries.map(({ message }) => message.id);
      attempt(`the discard of ${ids.join(', ')}`, () => session.append('inbox/discarded', { ids, reason }));
    },
    parked(cause) {
      attempt('the mark of a parked inbox', () => session.append('inbox/parked', { cause }));
    },
    unparked() {
      attempt('the end of a parked inbox', () => session.append('inbox/unparked', {}));
    },
  };
}
