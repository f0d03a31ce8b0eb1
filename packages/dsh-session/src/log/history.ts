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
  return new Shown();
}

class Shown implements History {
  next = 0;
  #messages: Message[] = [];
  /** For each message the seq up to which (inclusive) it speaks: a later replacement covers it by that. */
  #reach: number[] = [];
  #handedOut: readonly Message[] | undefined = [];

  add(given: SessionEvent | UnknownEvent): void {
    this.next = given.seq + 1;
    const event = given as SessionEvent;
    switch (event.type) {
      case 'user/message':
      case 'assistant/message':
      case 'tool/result':
        this.#messages.push(event.data);
        this.#reach.push(event.seq);
        this.#handedOut = undefined;
        break;
      case 'history/replaced':
        this.#replace(event.data.upTo, event.data.messages);
        break;
      default:
        break;
    }
  }

  messages(): readonly Message[] {
    this.#handedOut ??= snapshotOf(this.#messages);
    return this.#handedOut;
  }

  #replace(upTo: number, replacement: readonly Message[]): void {
    const found = this.#reach.findIndex((seq) => seq >= upTo);
    const kept = found === -1 ? this.#messages.length : found;
    this.#messages = [...replacement, ...this.#messages.slice(kept)];
    this.#reach = [...replacement.map(() => upTo - 1), ...this.#reach.slice(kept)];
    this.#handedOut = undefined;
  }
}
