/**
 * Tells the subscribers of one Session what was committed.
 * I1. Events reach every subscriber in seq order, also those that a subscriber appends (S6).
 * I2. A subscriber gets what is committed after it subscribed, and nothing once it is disposed.
 * I3. What a subscriber throws is reported and stops nobody.
 */
import type { Registration } from '../clock.ts';
import type { SessionEvent } from '../event.ts';

export interface Subscribers {
  add(from: number, listener: (event: SessionEvent) => void): Registration;
  tell(events: readonly SessionEvent[]): void;
}

interface Subscriber {
  /** The seq from which on it is told. */
  readonly from: number;
  readonly listener: (event: SessionEvent) => void;
}

export function createSubscribers(report: (cause: unknown) => void): Subscribers {
  const subscribers = new Set<Subscriber>();
  let untold: SessionEvent[] = [];
  let telling = false;

  function tellOne(event: SessionEvent): void {
    // A Set skips what is deleted during the walk, and (I2) bars what is added.
    for (const { from, listener } of subscribers) {
      if (event.seq < from) continue;
      try {
        listener(event);
      } catch (error) {
        report(error);
      }
    }
  }

  return {
    add(from, listener) {
      const subscriber = { from, listener };
      subscribers.add(subscriber);
      const dispose = (): void => {
        subscribers.delete(subscriber);
      };
      return { dispose, [Symbol.dispose]: dispose };
    },
    tell(events) {
      if (subscribers.size === 0) return;
      for (const event of events) untold.push(event);
      if (telling) return;
      telling = true;
      // The walk reaches what is appended during it.
      for (const event of untold) tellOne(event);
      untold = [];
      telling = false;
    },
  };
}
