/**
 * [pure] What a model is shown, kept up to date event by event (S9).
 * I1. Each event is looked at once.
 * I2. What was handed out is never changed: it is a snapshot, and the same one until something is new.
 * I3. `messages` grows at its end, or is replaced by another array: that is what snapshots rely on.
 */
import type { SessionEvent, UnknownEvent } from '../event.ts';
import type { Message } from '../message.ts';
import { snapshotOf } from './snapshot.ts';

export interface History {
  /** The seq of the first event that was not looked at. */
  readonly next: number;
  add(event: SessionEvent | UnknownEvent): void;
  messages(): readonly Message[];
}

export function createHistory(): History {
  let next = 0;
  let messages: Message[] = [];
  /** For each message the seq up to which (inclusive) it speaks: a later replacement covers it by that. */
  let reach: number[] = [];
  let handedOut: readonly Message[] | undefined = [];

  const push = (message: Message, seq: number): void => {
    messages.push(message);
    reach.push(seq);
    handedOut = undefined;
  };
  const replace = (upTo: number, replacement: readonly Message[]): void => {
    const found = reach.findIndex((seq) => seq >= upTo);
    const kept = found === -1 ? messages.length : found;
    messages = [...replacement, ...messages.slice(kept)];
    reach = [...replacement.map(() => upTo - 1), ...reach.slice(kept)];
    handedOut = undefined;
  };

  return {
    get next() {
      return next;
    },
    add(given) {
      next = given.seq + 1;
      const event = given as SessionEvent;
      switch (event.type) {
        case 'user/message':
        case 'assistant/message':
        case 'tool/result':
          push(event.data, event.seq);
          break;
        case 'history/replaced':
          replace(event.data.upTo, event.data.messages);
          break;
        default:
          break;
      }
    },
    messages() {
      handedOut ??= snapshotOf(messages);
      return handedOut;
    },
  };
}
