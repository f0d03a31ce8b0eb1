/**
 * One live Session in memory.
 * Owns: the log, the turn shape, the history, what may be appended.  Does not own: writing (write-queue.ts).
 * 1. An append checks everything before it changes anything: it happens whole or not at all.
 * 2. Once sealed, it never changes again.
 */
import type { Clock, Registration } from './clock.ts';
import { encodeEvent } from './codec.ts';
import { coreDataProblem } from './core-data.ts';
import { sessionError, type SessionError } from './errors.ts';
import type { NewEvent, SessionEvent, SessionEventMap, SessionEventType } from './event.ts';
import type { EventLog, LogEvent } from './event-log.ts';
import type { SessionHeader } from './header.ts';
import { createHistory } from './history.ts';
import type { SessionId } from './ids.ts';
import { freezeJson } from './json.ts';
import type { StoredEvent } from './driver.ts';
import type { Session, WaitOptions } from './session.ts';
import { createSubscribers, type Subscribers } from './subscribers.ts';
import {
  advance,
  closingTypes,
  emptyShape,
  sequenceProblem,
  type PendingCall,
  type TurnShape,
} from './turn-shape.ts';
import type { Message } from './message.ts';
import { isAlwaysEssential, type KnownTypes } from './vocabulary.ts';

/** Where committed events go, and what is known of their way to the medium. */
export interface SessionSink {
  readonly durableLength: number;
  /** How full the buffers are: 1 is the bound (S13). */
  load(): number;
  push(events: readonly StoredEvent[]): void;
}

export interface LiveSessionOptions {
  readonly header: SessionHeader;
  readonly log: EventLog;
  readonly shape: TurnShape;
  readonly known: KnownTypes;
  readonly clock: Clock;
  readonly sink: SessionSink;
  readonly report: (cause: unknown) => void;
}

/** What the store alone may do with a Session. */
export interface LiveSession {
  readonly session: Session;
  readonly log: EventLog;
  /** The calls of the open turn that have no result. */
  readonly pendingCalls: readonly PendingCall[];
  seal(): void;
  /** Seals, and says that the writer's place is lost. */
  lose(reason: SessionError): void;
}

const sealedWhy = { SESSION_CLOSED: 'it is closed', FENCED: "the writer's place is another's" } as const;

export function createLiveSession(options: LiveSessionOptions): LiveSession {
  const session = new MemorySession(options);
  return {
    session,
    log: options.log,
    get pendingCalls() {
      return session.pendingCalls();
    },
    seal() {
      session.seal('SESSION_CLOSED');
    },
    lose(reason) {
      session.seal('FENCED');
      session.abortLost(reason);
    },
  };
}

/** The methods beyond {@link Session} are for {@link createLiveSession} alone. */
class MemorySession implements Session {
  readonly id: SessionId;
  readonly header: SessionHeader;
  readonly lost: AbortSignal;
  readonly #options: LiveSessionOptions;
  readonly #log: EventLog;
  readonly #lost = new AbortController();
  readonly #history = createHistory();
  readonly #subscribers: Subscribers;
  readonly #opening: SessionEvent[];
  /** Of the own user messages (S10). */
  readonly #messageIds = new Set<string>();
  #turnSeen: boolean;
  #shape: TurnShape;
  #sealed: 'SESSION_CLOSED' | 'FENCED' | undefined;

  constructor(options: LiveSessionOptions) {
    const { header, log, shape, report } = options;
    this.id = header.id;
    this.header = header;
    this.lost = this.#lost.signal;
    this.#options = options;
    this.#log = log;
    this.#shape = shape;
    this.#subscribers = createSubscribers(report);
    const own = log.slice(header.seedLength ?? 0) as SessionEvent[];
    const end = own.findIndex(({ type }) => type === 'turn/start');
    this.#opening = end === -1 ? own : own.slice(0, end);
    this.#turnSeen = end !== -1;
    for (const event of own) if (isUserMessage(event)) this.#messageIds.add(event.data.id);
  }

  get length(): number {
    return this.#log.length;
  }
  get durableLength(): number {
    return this.#options.sink.durableLength;
  }
  get turns(): number {
    return this.#shape.turns;
  }
  get turnOpen(): boolean {
    return this.#shape.open !== undefined;
  }
  get sealed(): boolean {
    return this.#sealed !== undefined;
  }
  get pressure(): boolean {
    return this.#options.sink.load() > 1;
  }
  get opening(): readonly SessionEvent[] {
    return this.#opening.slice();
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
    const { header, known, clock } = this.#options;
    const events: SessionEvent[] = [];
    const newIds = new Set<string>();
    let shape = this.#shape;
    for (const entry of entries) {
      const event = makeEvent(header, known, entry, this.length + events.length, clock.now());
      const problem = sequenceProblem(shape, event, event.seq) ?? repeated(event, this.#messageIds, newIds);
      if (problem !== undefined)
        throw sessionError('INVALID_SEQUENCE', `session ${this.id} took no ${event.type}: ${problem}`);
      shape = advance(shape, event);
      events.push(event);
    }
    this.#commit(events, events.map(encodeEvent), shape);
    return events;
  }

  async ready({ signal }: WaitOptions = {}): Promise<void> {
    signal?.throwIfAborted();
  }

  history(): readonly Message[] {
    const history = this.#history;
    if (history.next < this.length) for (const event of this.#log.slice(history.next)) history.add(event);
    return history.messages();
  }

  events(from = 0): readonly SessionEvent[] {
    return this.#log.slice(from) as readonly SessionEvent[];
  }

  subscribe(listener: (event: SessionEvent) => void): Registration {
    return this.#subscribers.add(this.length, listener);
  }

  pendingCalls(): readonly PendingCall[] {
    return [...this.#shape.calls.values()];
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
    if (this.#options.sink.load() <= 2 || entries.every(({ type }) => closingTypes.includes(type))) return;
    throw sessionError('BACKPRESSURE', `session ${this.id} took no event: too much waits to be written`);
  }

  #commit(events: readonly SessionEvent[], stored: readonly StoredEvent[], shape: TurnShape): void {
    this.#shape = shape;
    for (const event of events) {
      this.#log.push(event);
      if (isUserMessage(event)) this.#messageIds.add(event.data.id);
      this.#turnSeen ||= event.type === 'turn/start';
      if (!this.#turnSeen) this.#opening.push(event);
    }
    this.#options.sink.push(stored);
    this.#subscribers.tell(events);
  }
}

function makeEvent(
  header: SessionHeader,
  known: KnownTypes,
  entry: NewEvent,
  seq: number,
  time: number,
): SessionEvent {
  const { type, essential } = entry as { readonly type: string; readonly essential?: boolean };
  const refuse = (why: string): Error =>
    sessionError('INVALID_EVENT', `session ${header.id} took no event: ${why}`);
  if (typeof type !== 'string' || type === '') throw refuse('its type is no text');
  if (essential === true && !known.has(type))
    throw refuse(`${type} was not learned, so it cannot be essential`);
  const data = freezeJson(entry.data);
  const problem = coreDataProblem(type, data);
  if (problem !== undefined) throw refuse(`its data is not that of ${type}: ${problem}`);
  const event = { seq, time, type, data };
  const whole = essential === true || isAlwaysEssential(type) ? { ...event, essential: true } : event;
  return Object.freeze(whole) as SessionEvent;
}

function repeated(event: SessionEvent, before: ReadonlySet<string>, now: Set<string>): string | undefined {
  if (!isUserMessage(event)) return undefined;
  const { id } = event.data;
  if (before.has(id) || now.has(id)) return `message ${id} is in the log already`;
  now.add(id);
  return undefined;
}

function isUserMessage(event: LogEvent): event is SessionEvent<'user/message'> {
  return event.type === 'user/message';
}

/** The shape of the first `length` events, from the turn before there: it walks back and no further (S23). */
export function shapeAt(log: EventLog, length: number): TurnShape {
  let start = length;
  while (start > 0 && log.at(start - 1)?.type !== 'turn/start') start -= 1;
  let shape = emptyShape;
  for (const event of log.slice(Math.max(0, start - 1), length)) shape = advance(shape, event);
  return shape;
}
