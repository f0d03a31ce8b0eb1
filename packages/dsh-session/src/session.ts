import type { Registration } from './clock.ts';
import type { NewEvent, SessionEvent, SessionEventMap, SessionEventType } from './event.ts';
import type { SessionHeader } from './header.ts';
import type { SessionId } from './ids.ts';
import type { Message } from './message.ts';

/** Ends the waiting, and nothing else. */
export interface WaitOptions {
  /** Ends the wait with its reason. */
  readonly signal?: AbortSignal | undefined;
}

/** One live, writable conversation. Made by a store. */
export interface Session {
  /** The same as in the header. */
  readonly id: SessionId;
  /** Frozen, as it was written. */
  readonly header: SessionHeader;
  /** The next seq. */
  readonly length: number;
  /** Everything below this seq is durable. */
  readonly durableLength: number;
  /** How many turns were started, the inherited ones included: the ordinal of the next one. */
  readonly turns: number;
  /** A turn is open. */
  readonly turnOpen: boolean;
  /** The store gave it up: `append` throws `SESSION_CLOSED` (or `FENCED` where the writer's place was lost). */
  readonly sealed: boolean;
  /** More bytes wait to be written than the bound allows: a writer that can wait should (S13). */
  readonly pressure: boolean;
  /** Aborts when the writer's place is lost (S21). */
  readonly lost: AbortSignal;
  /**
   * The own events before the first own `turn/start`, at most 64 KiB of them (S26): what {@link SessionHead.opening}
   * shows of a live Session.
   */
  readonly opening: readonly SessionEvent[];

  /**
   * Adds one event, synchronously (S6). Throws `NOT_JSON` with the path of the offending value (S5),
   * `INVALID_SEQUENCE` (S10), `BACKPRESSURE`, `SESSION_CLOSED`, `FENCED`; the log is then as it was.
   */
  append<K extends SessionEventType>(
    type: K,
    data: SessionEventMap[K],
    options?: { readonly essential?: boolean },
  ): SessionEvent<K>;
  /** Adds all or nothing. Subscribers run after the last. Throws like {@link append}. */
  appendAll(entries: readonly NewEvent[]): readonly SessionEvent[];
  /** Resolves when the whole history is loaded. Rejects `DAMAGED_LOG` for what it finds then (S16). */
  ready(options?: WaitOptions): Promise<void>;
  /**
   * What a model is shown, in order. Throws `NOT_READY` before {@link ready}. The same array until something is new, and
   * it never changes; to ask for it costs no more than what is new (S9). It can be used as any other array, but that
   * `structuredClone` takes only a copy of it: `[...session.history()]`.
   */
  history(): readonly Message[];
  /** The events in memory from `from` on, inherited ones included. Throws `NOT_READY` before {@link ready}. */
  events(from?: number): readonly SessionEvent[];
  /** Runs after each commit, in seq order. What it throws is reported and stops nobody (S6). */
  subscribe(listener: (event: SessionEvent) => void): Registration;
}
