/**
 * One live Session in memory.
 * Owns: the outline, and whether anything may be appended.
 * Does not own: the events (loaded-events.ts), what they must be (new-events.ts), writing (write-queue.ts).
 * I1. An append checks everything before it changes anything: it happens whole or not at all.
 * I2. Once sealed, it never changes again.
 */
import { untilAborted } from '@dsh-internal/async';
import type { Clock, Registration } from '../clock.ts';
import type { StoredEvent } from '../driver.ts';
import { sessionError, type SessionError } from '../errors.ts';
import type { NewEvent, SessionEvent, SessionEventMap, SessionEventType } from '../event.ts';
import type { EventLog, LogEvent } from '../log/event-log.ts';
import type { SessionHeader } from '../header.ts';
import type { SessionId } from '../ids.ts';
import { createLoadedEvents, type LoadedEvents } from './loaded-events.ts';
import type { Message } from '../message.ts';
import { copyEntries, makeEvents, type NewEvents } from '../log/new-events.ts';
import { createOpening, type Opening } from '../log/opening.ts';
import { encodeOutline, type Outline } from '../log/outline.ts';
import type { Session, WaitOptions } from '../session.ts';
import { checkListener } from '../store-options.ts';
import { createSubscribers, type Subscribers } from './subscribers.ts';
import { closingTypes, type PendingCall } from '../log/turn-shape.ts';
import type { KnownTypes } from '../log/vocabulary.ts';

/** Where committed events go, and what is known of their way to the medium. */
export interface SessionSink {
  readonly durableLength: number;
  /** How full the buffers are: 1 is the bound (S13). */
  load(): number;
  push(events: readonly StoredEvent[]): void;
}

export interface LiveSessionOptions {
  readonly header: SessionHeader;
  /** The end of the log at least: what `outline` was not made of has to be in it. */
  readonly log: EventLog;
  readonly outline: Outline;
  /** The own events before the first own turn, as far as a head shows them (S26). */
  readonly opening: readonly LogEvent[];
  /** Reads what stands before `log`, where that does not start at 0. */
  readonly loadRest?: (() => Promise<EventLog>) | undefined;
  readonly known: KnownTypes;
  readonly clock: Clock;
  readonly sink: SessionSink;
  readonly report: (cause: unknown) => void;
}

/** What the store alone may do with a Session. */
export interface LiveSession {
  readonly session: Session;
  readonly log: EventLog;
  readonly outline: Outline;
  /** What is kept beside the log (S27): it covers every event that was appended. */
  summary(): string;
  /** The calls of the open turn that have no result. */
  readonly pendingCalls: readonly PendingCall[];
  seal(): void;
  /** Seals, and says that the writer's place is lost. */
  lose(reason: SessionError): void;
}

const sealedWhy = { SESSION_CLOSED: 'it is closed', FENCED: "the writer's place is another's" } as const;

export function createLiveSession(options: LiveSessionOptions): LiveSession {
  return new Live(new MemorySession(options));
}

class Live implements LiveSession {
  readonly session: MemorySession;

  constructor(session: MemorySession) {
    this.session = session;
  }

  get log(): EventLog {
    return this.session.loaded.log;
  }
  get outline(): Outline {
    return this.session.outline;
  }
  get pendingCalls(): readonly PendingCall[] {
    return [...this.outline.shape.calls.values()];
  }

  summary(): string {
    return encodeOutline(this.outline);
  }

  seal(): void {
    this.session.seal('SESSION_CLOSED');
  }

  lose(reason: SessionError): void {
    this.session.seal('FENCED');
    this.session.abortLost(reason);
  }
}

/** The methods beyond {@link Session} are for {@link Live} alone. */
class MemorySession implements Session {
  readonly id: SessionId;
  readonly header: SessionHeader;
  readonly lost: AbortSignal;
  readonly loaded: LoadedEvents;
  outline: Outline;
  readonly #options: LiveSessionOptions;
  readonly #lost = new AbortController();
  readonly #subscribers: Subscribers;
  readonly #opening: Opening;
  #sealed: 'SESSION_CLOSED' | 'FENCED' | undefined;

  constructor(options: LiveSessionOptions) {
    const { header, log, outline, opening, loadRest, report } = options;
    this.id = header.id;
    this.header = header;
    this.lost = this.#lost.signal;
    this.#options = options;
    this.outline = outline;
    this.loaded = createLoadedEvents({ id: header.id, ownFrom: outline.ownFrom, log, loadRest });
    this.#subscribers = createSubscribers(report);
    const ended = outline.firstTurn !== undefined || opening.length < outline.length - outline.ownFrom;
    this.#opening = createOpening(opening, ended);
  }

  get length(): number {
    return this.loaded.log.length;
  }
  get durableLength(): number {
    return this.#options.sink.durableLength;
  }
  get turns(): number {
    return this.outline.shape.turns;
  }
  get turnOpen(): boolean {
    return this.outline.shape.open !== undefined;
  }
  get sealed(): boolean {
    return this.#sealed !== undefined;
  }
  get pressure(): boolean {
    return this.#options.sink.load() > 1;
  }
  get opening(): readonly SessionEvent[] {
    return this.#opening.events.slice() as SessionEvent[];
  }

  append<K extends SessionEventType>(
    type: K,
    data: SessionEventMap[K],
    { essential = false }: { readonly essential?: boolean } = {},
  ): SessionEvent<K> {
    return this.appendAll([{ type, data, essential } as unknown as NewEvent])[0] as SessionEvent<K>;
  }

  appendAll(entries: readonly NewEvent[]): readonly SessionEvent[] {
    this.#admit(entries);
    const { known, clock } = this.#options;
    const { id } = this;
    const copied = copyEntries({ id, known }, entries);
    const time = clock.now();
    // Copying runs the caller's code: it may have appended, or closed this Session.
    this.#admit(copied.entries);
    const { outline } = this;
    const { messageIds } = this.loaded;
    const made = makeEvents({ id, known, outline, messageIds }, copied, time);
    this.#commit(made);
    return made.events;
  }

  async ready({ signal }: WaitOptions = {}): Promise<void> {
    signal?.throwIfAborted();
    await untilAborted(this.loaded.load(), signal);
  }

  history(): readonly Message[] {
    return this.loaded.history();
  }

  events(from = 0): readonly SessionEvent[] {
    return this.loaded.slice(from) as readonly SessionEvent[];
  }

  subscribe(listener: (event: SessionEvent) => void): Registration {
    return this.#subscribers.add(this.length, checkListener(listener));
  }

  seal(reason: 'SESSION_CLOSED' | 'FENCED'): void {
    this.#sealed ??= reason;
  }

  abortLost(reason: SessionError): void {
    this.#lost.abort(reason);
  }

  #admit(entries: readonly NewEvent[]): void {
    const sealed = this.#sealed;
    if (sealed !== undefined)
      throw sessionError(sealed, `session ${this.id} took no event: ${sealedWhy[sealed]}`);
    if (!Array.isArray(entries))
      throw sessionError('INVALID_EVENT', `session ${this.id} took no event: the entries are no list`);
    if (this.#options.sink.load() <= 2 || entries.every(isClosing)) return;
    throw sessionError('BACKPRESSURE', `session ${this.id} took no event: too much waits to be written`);
  }

  #commit({ events, stored, outline }: NewEvents): void {
    this.outline = outline;
    for (const [index, event] of events.entries()) {
      this.loaded.push(event);
      this.#opening.add(event, stored[index]?.json);
    }
    this.#options.sink.push(stored);
    this.#subscribers.tell(events);
  }
}

function isClosing(entry: Partial<NewEvent> | null | undefined): boolean {
  return closingTypes.some((type) => type === entry?.type);
}
