/**
 * The events of one live Session as far as they are in memory, and the history that they give.
 * I1. Events are in memory from some seq on without a gap, and all of them once `load` has resolved.
 * I2. What is appended while the rest is read comes behind it: both are joined in one synchronous span.
 */
import { sessionError } from '../errors.ts';
import type { SessionEvent } from '../event.ts';
import { isUserMessage, type EventLog, type LogEvent } from '../log/event-log.ts';
import { createHistory } from '../log/history.ts';
import type { SessionId } from '../ids.ts';
import type { Message } from '../message.ts';

export interface LoadedEvents {
  /** The same object until `load` has resolved for the first time. */
  readonly log: EventLog;
  /** Of the own user messages that are in memory (S10). */
  readonly messageIds: ReadonlySet<string>;
  push(event: SessionEvent): void;
  /** Throws `NOT_READY` where not all from `from` on are in memory. */
  slice(from: number): readonly LogEvent[];
  /** Throws `NOT_READY` before all are in memory. */
  history(): readonly Message[];
  /** Reads what is missing, once; after a failure the next call tries again. */
  load(): Promise<void>;
}

export interface LoadedEventsOptions {
  readonly id: SessionId;
  readonly ownFrom: number;
  readonly log: EventLog;
  readonly loadRest?: (() => Promise<EventLog>) | undefined;
}

export function createLoadedEvents({ id, ownFrom, log: given, loadRest }: LoadedEventsOptions): LoadedEvents {
  let log = given;
  let loading: Promise<void> | undefined;
  const history = createHistory();
  const messageIds = new Set<string>();

  const learn = (events: readonly LogEvent[]): void => {
    for (const event of events)
      if (event.seq >= ownFrom && isUserMessage(event)) messageIds.add(event.data.id);
  };
  const requireFrom = (from: number): void => {
    if (from < log.first)
      throw sessionError('NOT_READY', `session ${id}: its events below ${log.first} are not loaded yet`);
  };
  const join = async (read: () => Promise<EventLog>): Promise<void> => {
    try {
      const whole = await read();
      learn(whole.slice(ownFrom));
      for (const event of log.slice()) whole.push(event);
      log = whole;
    } finally {
      loading = undefined;
    }
  };

  learn(log.slice(ownFrom));
  return {
    get log() {
      return log;
    },
    messageIds,
    push(event) {
      log.push(event);
      if (isUserMessage(event)) messageIds.add(event.data.id);
    },
    slice(from) {
      requireFrom(Math.max(0, from));
      return log.slice(from);
    },
    history() {
      requireFrom(0);
      if (history.next < log.length) for (const event of log.slice(history.next)) history.add(event);
      return history.messages();
    },
    async load() {
      if (log.first === 0 || loadRest === undefined) return;
      loading ??= join(loadRest);
      await loading;
    },
  };
}
