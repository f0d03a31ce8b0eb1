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

export function createLoadedEvents(options: LoadedEventsOptions): LoadedEvents {
  return new Loaded(options);
}

class Loaded implements LoadedEvents {
  log: EventLog;
  readonly messageIds = new Set<string>();
  readonly #options: Omit<LoadedEventsOptions, 'log'>;
  readonly #history = createHistory();
  #loading: Promise<void> | undefined;

  constructor({ log, ...options }: LoadedEventsOptions) {
    this.log = log;
    this.#options = options;
    this.#learn(log);
  }

  push(event: SessionEvent): void {
    this.log.push(event);
    if (isUserMessage(event)) this.messageIds.add(event.data.id);
  }

  slice(from: number): readonly LogEvent[] {
    this.#requireFrom(Math.max(0, from));
    return this.log.slice(from);
  }

  history(): readonly Message[] {
    this.#requireFrom(0);
    const history = this.#history;
    if (history.next < this.log.length) for (const event of this.log.slice(history.next)) history.add(event);
    return history.messages();
  }

  async load(): Promise<void> {
    const { loadRest } = this.#options;
    if (this.log.first === 0 || loadRest === undefined) return;
    this.#loading ??= this.#join(loadRest);
    await this.#loading;
  }

  #learn(log: EventLog): void {
    for (const event of log.slice(this.#options.ownFrom))
      if (isUserMessage(event)) this.messageIds.add(event.data.id);
  }

  #requireFrom(from: number): void {
    const { first } = this.log;
    if (from < first)
      throw sessionError(
        'NOT_READY',
        `session ${this.#options.id}: its events below ${first} are not loaded yet`,
      );
  }

  async #join(read: () => Promise<EventLog>): Promise<void> {
    try {
      const whole = await read();
      this.#learn(whole);
      for (const event of this.log.slice()) whole.push(event);
      this.log = whole;
    } finally {
      this.#loading = undefined;
    }
  }
}
