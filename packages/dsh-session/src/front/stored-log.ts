/**
 * Reads what is stored of one Session: its header, its records as they are, and its events where all are whole.
 * I1. It takes no place and changes nothing.
 * I2. A signal also ends a wait that the driver does not give up.
 * I3. Events are given without a gap; the first that cannot be read ends the reading with `DAMAGED_LOG`.
 */
import { untilAborted } from '@dsh-internal/async';
import { decodeRecord } from '../log/codec.ts';
import type { StoredRecord } from '../driver.ts';
import { sessionError } from '../errors.ts';
import type { SessionRecord } from '../event.ts';
import { createEventLog, type EventLog, type LogEvent } from '../log/event-log.ts';
import type { SessionHeader } from '../header.ts';
import { parseHeader } from '../header-check.ts';
import type { SessionId } from '../ids.ts';
import { extend, startOutline, type Outline } from '../log/outline.ts';
import type { WaitOptions } from '../session.ts';
import type { StoreContext } from './context.ts';

export interface Range extends WaitOptions {
  readonly from?: number;
  readonly to?: number;
}

/** The records of the medium. The signal also ends a wait that the driver does not give up. */
async function* rawRecords(
  context: StoreContext,
  id: SessionId,
  { from = 0, to, signal }: Range,
): AsyncGenerator<readonly StoredRecord[]> {
  const chunks = context.driver
    .read(id, { from, signal, ...(to === undefined ? {} : { to }) })
    [Symbol.asyncIterator]();
  try {
    for (;;) {
      const result = await untilAborted(chunks.next(), signal);
      if (result.done === true) return;
      yield result.value;
    }
  } finally {
    chunks.return?.().then(undefined, () => undefined);
  }
}

/** The same, decoded. */
export async function* storedRecords(
  context: StoreContext,
  id: SessionId,
  range: Range,
): AsyncGenerator<SessionRecord> {
  const knows = (type: string): boolean => context.known.has(type);
  for await (const chunk of rawRecords(context, id, range))
    for (const record of chunk) yield decodeRecord(record, knows);
}

/** As it stands there, whatever it is. */
export function headerText(
  { driver }: StoreContext,
  id: SessionId,
  { signal }: WaitOptions,
): Promise<string> {
  const asked =
    driver.header?.(id, { signal }) ??
    driver.head(id, { signal, startBytes: 0 }).then(({ header }) => header);
  return untilAborted(asked, signal);
}

export async function storedHeader(
  context: StoreContext,
  id: SessionId,
  options: WaitOptions,
): Promise<SessionHeader> {
  return parseHeader(await headerText(context, id, options), id);
}

/** One event of a log that can be gone on with, and its text. */
export interface StoredEventText {
  readonly event: LogEvent;
  readonly json: string;
}

/**
 * The events from `from` on without a gap, chunk by chunk. Rejects `DAMAGED_LOG` for the first that cannot be read;
 * `what` is for its message: `opened`, `loaded`.
 */
export async function* wholeEvents(
  context: StoreContext,
  id: SessionId,
  { what, ...range }: Range & { readonly what: string },
): AsyncGenerator<readonly StoredEventText[]> {
  const knows = (type: string): boolean => context.known.has(type);
  let next = range.from ?? 0;
  for await (const chunk of rawRecords(context, id, range)) {
    const events: StoredEventText[] = [];
    for (const raw of chunk) {
      const record = decodeRecord(raw, knows);
      if (record.kind === 'damaged') throw damagedLog(id, what, next, record.reason);
      const { event } = record;
      if (event.seq !== next) throw damagedLog(id, what, next, `the next record has seq ${event.seq}`);
      events.push({ event, json: raw.kind === 'event' ? raw.json : '' });
      next += 1;
    }
    yield events;
  }
  if (range.to !== undefined && next < range.to) throw damagedLog(id, what, next, 'the log ends before it');
}

/** What of a log is in memory, and what is known of all of it. */
export interface LoadedLog {
  readonly log: EventLog;
  readonly outline: Outline;
  /** How much was read, in UTF-16 units of JSON. */
  readonly size: number;
}

/** The whole log. Rejects `DAMAGED_LOG` (S16). */
export async function loadLog(
  context: StoreContext,
  id: SessionId,
  {
    ownFrom,
    what,
    ...range
  }: { readonly ownFrom: number; readonly to: number; readonly what: string } & WaitOptions,
): Promise<LoadedLog> {
  const log = createEventLog();
  let outline = startOutline(ownFrom);
  let size = 0;
  for await (const chunk of wholeEvents(context, id, { ...range, what })) {
    for (const { event, json } of chunk) {
      log.push(event);
      outline = extend(outline, event, json);
      size += json.length;
    }
  }
  return { log, outline, size };
}

/** What can be said of a whole log, with none of it kept in memory. */
export async function readOutline(
  context: StoreContext,
  id: SessionId,
  { ownFrom, signal }: { readonly ownFrom: number } & WaitOptions,
): Promise<Outline> {
  let outline = startOutline(ownFrom);
  for await (const chunk of wholeEvents(context, id, { what: 'read', signal }))
    for (const { event, json } of chunk) outline = extend(outline, event, json);
  return outline;
}

/** Throws `UNKNOWN_ESSENTIAL_EVENT` where the log holds an essential type that is not known here (S8). */
export function requireKnown(
  context: StoreContext,
  id: SessionId,
  what: string,
  { essential }: Outline,
): void {
  for (const [type, seq] of essential)
    if (!context.known.has(type))
      throw sessionError(
        'UNKNOWN_ESSENTIAL_EVENT',
        `session ${id} not ${what}: event ${seq} is an essential ${type}, which is not known here`,
      );
}

function damagedLog(id: SessionId, what: string, seq: number, reason: string): Error {
  return sessionError('DAMAGED_LOG', `session ${id} not ${what}: event ${seq} cannot be read: ${reason}`);
}
