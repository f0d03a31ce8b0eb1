import type { SessionError, PlaceHolder } from './errors.ts';
import type { SeedPrefix } from './header.ts';
import type { SessionId } from './ids.ts';
import type { WaitOptions } from './session.ts';

/** What a medium supports. The conformance suite reads it and checks it. */
export interface DriverManifest {
  /** For messages, such as `file`. */
  readonly name: string;
  /** What was appended is there for a later process. Where not, `flush` gives `false`. */
  readonly outlivesProcess: boolean;
  /** A fork costs the same however long its prefix is (S23). */
  readonly sharesPrefix: boolean;
  /** A writer that lost its place cannot extend the history (S21). */
  readonly fences: boolean;
  /** A summary is kept beside each log (S27). Without it, opening reads the whole log. */
  readonly keepsSummary?: boolean;
}

/** The right to write one Session, until it is released or lost. */
export interface WriterPlace {
  /** Whose place it is. */
  readonly id: SessionId;
  /** Names this holding of the place; no other holding, before or after, has the same. */
  readonly token: string;
  /** Aborts when the driver learns that the place is lost. */
  readonly lost: AbortSignal;
  /** How many events the medium holds, inherited ones included, damaged ones too: the seq of the next one. */
  readonly length: number;
  /**
   * Whose place it was, where a dead or silent holder was taken over, by this holder or by one before it that
   * wrote nothing (S20).
   */
  readonly takenOver?: PlaceHolder;
  /** With `open`: the summary that was last given with a batch or a release, of whatever length (S27). */
  readonly summary?: string;
}

/** One event as text: the JSON of `{ seq, time, type, data, essential? }`, without line breaks. */
export interface StoredEvent {
  /** Tells it from {@link StoredDamage}. */
  readonly kind: 'event';
  /** The seq in that JSON. */
  readonly seq: number;
  /** On one line. */
  readonly json: string;
}
/** Bytes in the place of one or more events that cannot be read. */
export interface StoredDamage {
  /** Tells it from {@link StoredEvent}. */
  readonly kind: 'damaged';
  /** Of the first of them, where it is known. */
  readonly seq?: number;
  /** Why, in a few words. */
  readonly reason: string;
  /** How many stand there. */
  readonly bytes: number;
  /** The bytes as text, where they can be had: an export shows them. */
  readonly raw?: string;
}
/** What a log holds, in its order. */
export type StoredRecord = StoredEvent | StoredDamage;

/** The share of one Session in a batch. */
export interface BatchPart {
  /** The right to write it. */
  readonly place: WriterPlace;
  /**
   * How many events the medium is to hold before these. A driver whose last try failed half way first
   * restores exactly that (S12).
   */
  readonly base: number;
  /** The JSON of the header: in the first part of a new Session, again where that failed, and not after. */
  readonly header?: string;
  /** In seq order, from `base` on. */
  readonly events: readonly StoredEvent[];
  /**
   * What the log says when these events are in it, in a few hundred bytes (S27): kept in the place of the one
   * before. It needs no barrier. Where it gets lost, or does not fit the log after a
   * crash, opening only takes longer: the front finds that out.
   */
  readonly summary?: string;
}

/** One answer per part. A refused part (`FENCED`, a failed write) leaves the others alone. */
export type PartResult = { readonly ok: true } | { readonly ok: false; readonly error: SessionError };

/** What stands at the beginning of one log. */
export interface StoredHead {
  /** The JSON of the header as it was written, of whatever version. */
  readonly header: string;
  /** How many events the medium holds, as in {@link WriterPlace.length}. */
  readonly length: number;
  /** The first own records, at most 64 KiB of them. */
  readonly start: readonly StoredRecord[];
  /** As in {@link WriterPlace.summary}. */
  readonly summary?: string;
}

/** One entry of the medium: a Session, or what stands where one should be (S18). */
export type StoredEntry =
  | { readonly kind: 'stored'; readonly id: SessionId; readonly header: string; readonly cursor: string }
  | {
      readonly kind: 'problem';
      readonly id: SessionId;
      readonly code: string;
      readonly message: string;
      readonly cursor: string;
    };

/**
 * A medium. It checks no content and keeps no policy: the front does, once for all drivers.
 * Every method may reject with a `SessionError`; anything else is treated as a failure of the medium.
 */
export interface SessionDriver extends AsyncDisposable {
  /** Compared by the front: `INCOMPATIBLE` where it does not fit. */
  readonly protocol: { readonly name: 'dsh-session/driver'; readonly version: number };
  /** What this medium supports. */
  readonly manifest: DriverManifest;

  /**
   * Takes the writer's place.
   * `create` needs an id that is not stored (`SESSION_EXISTS`) and writes nothing that `list`, `head` or `read` shows;
   * `prefix` makes sure that those leading events of another Session stay readable for this one, from now on,
   * whatever becomes of their source. `open` needs a stored one (`SESSION_NOT_FOUND`), and cuts an incomplete
   * last record before the first append (S15). A place that is held: `SESSION_LOCKED` with the holder (S20).
   */
  take(
    id: SessionId,
    intent: 'create' | 'open',
    options: { readonly prefix?: SeedPrefix } & WaitOptions,
  ): Promise<WriterPlace>;
  /** Writes all parts and makes them durable with one barrier. The answers stand in the order of the parts. */
  append(parts: readonly BatchPart[]): Promise<readonly PartResult[]>;
  /**
   * Gives the place back; what was never written leaves nothing. Never rejects for a place that is gone.
   * `summary` is kept like that of a batch.
   */
  release(place: WriterPlace, options?: { readonly summary?: string }): Promise<void>;

  /** The header of a {@link head} alone. Where a driver has it, opening reads nothing else before it takes the place. */
  header?(id: SessionId, options: WaitOptions): Promise<string>;
  /** `startBytes`: no more than so many bytes of `start` are needed. */
  head(id: SessionId, options: { readonly startBytes?: number } & WaitOptions): Promise<StoredHead>;
  /** The records from seq `from` up to but not including `to`, inherited ones included, in chunks. */
  read(
    id: SessionId,
    range: { readonly from: number; readonly to?: number } & WaitOptions,
  ): AsyncIterable<readonly StoredRecord[]>;
  /** In a stable order; with `parent`, only the entries of that parent are looked at (S18). */
  list(
    query: { readonly parent?: SessionId; readonly after?: string } & WaitOptions,
  ): AsyncIterable<StoredEntry>;
  /** Removes whatever stands under `id`. `SESSION_LOCKED` where it is held, `SESSION_NOT_FOUND` where nothing is. */
  delete(id: SessionId, options: WaitOptions): Promise<void>;
  /**
   * Writes the log anew without its damaged records, sets those bytes aside, changes no byte that a fork shares.
   * What is kept keeps its seq; each seq below the last kept one that is missing then is filled with
   * `substitute(seq)`, so that the log has no gap. Needs the place.
   */
  repair(
    place: WriterPlace,
    options: { readonly substitute: (seq: number) => StoredEvent } & WaitOptions,
  ): Promise<void>;
}
