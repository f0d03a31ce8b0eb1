import type { Clock, OnDiagnostic } from './clock.ts';
import type { SessionDriver } from './driver.ts';
import type { SessionEvent, SessionRecord, UnknownEvent } from './event.ts';
import type { SeedPrefix, SessionHeader } from './header.ts';
import type { SessionId } from './ids.ts';
import type { JsonObject } from './json.ts';
import type { Session, WaitOptions } from './session.ts';

/** The event types that a program knows at run time, besides the core's (S8). */
export type Vocabulary = readonly string[];

/** The options of `openSessionStore`. */
export interface SessionStoreOptions {
  /** The medium. The store disposes it with itself. */
  readonly driver: SessionDriver;
  /** Event types of the program and of its packages. Default: the core's alone. */
  readonly vocabulary?: Vocabulary;
  /** Default: the machine's. */
  readonly clock?: Clock;
  /** Numbers from 0 up to 1, for ids. Default: the machine's. */
  readonly random?: () => number;
  /** Makes Session ids. Default: UUIDs that sort by time. */
  readonly newId?: () => string;
  /** Hears what nobody waits for, such as `durability-lost` and `durability-restored` (S12). What it throws is dropped. */
  readonly onDiagnostic?: OnDiagnostic;
  /** Bounds the last flush of `close`, and giving the place back, in milliseconds each. Default 10,000. */
  readonly closeTimeoutMs?: number;
  /**
   * How much may wait to be written before `pressure` is said, in UTF-16 units of JSON: of one Session (default
   * 8 Mi) and of all (default 64 Mi). Above twice that, appends throw `BACKPRESSURE` (S13).
   */
  readonly maxPendingBytes?: { readonly session?: number; readonly store?: number };
}

/** What a new Session is. All of it but `seed` and `provisional` goes into its header. `signal` rules until the place is taken. */
export interface CreateSessionOptions extends WaitOptions {
  /** Default: a new one. One that exists is refused with `SESSION_EXISTS` (S3). */
  readonly id?: SessionId;
  /** An absolute path. */
  readonly cwd?: string;
  /** The durable direct parent (delegation). */
  readonly parentSession?: SessionId;
  /** The top of that chain. Default: that of the parent, where the parent can be read. */
  readonly rootSession?: SessionId;
  /** Such as `subagent`. Lists can be limited to it. */
  readonly origin?: string;
  /** How far below the top. Absent: 0. */
  readonly delegationDepth?: number;
  /** The deployer's own, kept verbatim. */
  readonly meta?: JsonObject;
  /** Starts the log with these events of another Session, shared and not copied (S22, S23). */
  readonly seed?: SeedPrefix;
  /** Takes the id and the writer's place, and writes nothing until `commit` (S4). */
  readonly provisional?: boolean;
}

/** What a fork is: what is not given is taken from its source, but for `parentSession` (S22). */
export interface ForkOptions extends Omit<CreateSessionOptions, 'seed'> {
  /** How many leading events. Default: through the last `turn/end`, none if there is none. */
  readonly length?: number;
}

/** What can be said of a Session without reading its log (S26). */
export interface SessionHead {
  /** As it was written at creation. */
  readonly header: SessionHeader;
  /** The seq that comes next. */
  readonly length: number;
  /** The own events before the first own `turn/start`, at most 64 KiB of them. */
  readonly opening: readonly (SessionEvent | UnknownEvent)[];
}

/** Which entries, and how many. What is absent limits nothing. */
export interface ListQuery extends WaitOptions {
  /** Only its direct children; nothing else is looked at (S18). */
  readonly parent?: SessionId;
  /** Only what is below that top, at any depth. */
  readonly root?: SessionId;
  /** Only those with that origin. */
  readonly origin?: string;
  /** At most that many entries. */
  readonly limit?: number;
  /** Goes on after the entry that carried this cursor. */
  readonly cursor?: string;
}

/** One entry of the store: a Session, or what stands where one should be (S18). */
export type SessionListEntry =
  | {
      readonly kind: 'session';
      readonly id: SessionId;
      readonly header: SessionHeader;
      readonly cursor: string;
    }
  | {
      readonly kind: 'problem';
      /** The id where it can be known, else a name under which `delete` takes it. */
      readonly id: SessionId;
      readonly code: string;
      readonly message: string;
      readonly cursor: string;
    };

/** The front of a store: checks, batching, status and abort live here once, above every driver. */
export interface SessionStore extends AsyncDisposable {
  /** Compared by packages that were built against another copy of this one. */
  readonly protocol: { readonly name: 'dsh-session/store'; readonly version: number };

  /** Rejects `SESSION_EXISTS` (S3), `SESSION_LOCKED` (S20), `INVALID_HEADER`, `INVALID_PREFIX`, `OPEN_TURN`, `STORE_CLOSED`. */
  create(options?: CreateSessionOptions): Promise<Session>;
  /** Lets a provisional Session be written, synchronously. */
  commit(session: Session): void;
  /** Drops a provisional Session and seals it; the id is free at once. Nothing is left behind (S4). */
  discard(session: Session): void;
  /**
   * Takes the writer's place and closes a turn that a crash left open (S17).
   * Rejects `SESSION_NOT_FOUND`, `SESSION_LIVE`, `SESSION_LOCKED`, `DAMAGED_LOG`, `UNKNOWN_ESSENTIAL_EVENT`, `UNSUPPORTED_VERSION`.
   */
  open(id: SessionId, options?: WaitOptions): Promise<Session>;
  /** The live Session of this store, provisional ones included. */
  get(id: SessionId): Session | undefined;
  /** Takes no place and reads no log. Rejects `SESSION_NOT_FOUND`, `UNSUPPORTED_VERSION`, `INVALID_HEADER`. */
  head(id: SessionId, options?: WaitOptions): Promise<SessionHead>;
  /** Yields what is whole and marks what is not. Never repairs, never blocks the writer. */
  read(
    id: SessionId,
    range?: { readonly from?: number; readonly to?: number } & WaitOptions,
  ): AsyncIterable<SessionRecord>;
  /** Never fails because of one entry (S18). */
  list(query?: ListQuery): AsyncIterable<SessionListEntry>;
  /** One page of {@link list}; `next` is the cursor of the page after it, absent at the end. */
  listPage(
    query?: ListQuery,
  ): Promise<{ readonly items: readonly SessionListEntry[]; readonly next?: string }>;
  /** Starts a Session with a prefix of another one. Rejects `OPEN_TURN`, `INVALID_PREFIX` and like {@link create} (S22). */
  fork(source: SessionId, options?: ForkOptions): Promise<Session>;
  /** Resolves when everything appended before the call is durable; `false` where the medium does not outlive the process (S11). */
  flush(session: Session, options?: WaitOptions): Promise<boolean>;
  /**
   * Seals in the span of the call, then tries a last flush and gives the place back. Rejects `NOT_DURABLE` naming what
   * is lost; it is closed even then (S11).
   */
  close(session: Session, options?: WaitOptions): Promise<void>;
  /** Every record, whole or damaged, without a change. */
  verify(id: SessionId, options?: WaitOptions): Promise<VerifyReport>;
  /** Sets damaged records aside, keeps the rest, and says so in the log (S16). */
  repair(id: SessionId, options?: WaitOptions): Promise<VerifyReport>;
  /**
   * The stored lines as they are, unknown and damaged ones included: the header's first. Where that cannot be given,
   * a line with `{ damaged }` stands in its place.
   */
  export(id: SessionId, options?: WaitOptions): AsyncIterable<string>;
  /** Works on whatever `list` shows (S19). Rejects `SESSION_LIVE`, `SESSION_LOCKED`, `SESSION_NOT_FOUND`. */
  delete(id: SessionId, options?: WaitOptions): Promise<void>;
  /** Adds event types that this program knows from now on. */
  learn(vocabulary: Vocabulary): void;
}

/** What a look at every record of one log has found. */
export interface VerifyReport {
  /** The Session that was looked at. */
  readonly id: SessionId;
  /** Records that are whole, the inherited ones included. */
  readonly events: number;
  /** Where records cannot be read: the seq where it is known, why, and how many bytes stand there. */
  readonly damaged: readonly { readonly seq?: number; readonly reason: string; readonly bytes: number }[];
}
