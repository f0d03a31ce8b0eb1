/**
 * What can be read of a Session without taking its place.
 * I1. A live Session answers from memory, since it knows what is not written yet; a provisional one cannot be found.
 * I2. Nothing is repaired, and what is damaged is told in its place (S16).
 */
import { untilAborted } from '@dsh-internal/async';
import { decodeRecord } from '../log/codec.ts';
import { SessionError } from '../errors.ts';
import type { SessionEvent, SessionRecord, UnknownEvent } from '../event.ts';
import { parseHeader } from '../header-check.ts';
import { parseSessionId, type SessionId } from '../ids.ts';
import { createOpening } from '../log/opening.ts';
import type { WaitOptions } from '../session.ts';
import type { SessionHead, VerifyReport } from '../store.ts';
import type { StoreContext } from './context.ts';
import { headerText, storedRecords, type Range } from './stored-log.ts';
import type { Resident } from './resident.ts';

/** A live Session answers from memory: it knows what is not written yet. A provisional one cannot be found. */
function liveHere(context: StoreContext, id: SessionId): Resident | undefined {
  const slot = context.residents.slots.get(id);
  return slot?.kind === 'live' && slot.resident.phase === 'writing' ? slot.resident : undefined;
}

export async function head(
  context: StoreContext,
  given: SessionId,
  { signal }: WaitOptions,
): Promise<SessionHead> {
  const id = parseSessionId(given);
  const live = liveHere(context, id)?.session;
  if (live !== undefined) return { header: live.header, length: live.length, opening: live.opening };
  const stored = await untilAborted(context.driver.head(id, { signal }), signal);
  const header = parseHeader(stored.header, id);
  const opening = createOpening();
  for (const record of stored.start) {
    const decoded = decodeRecord(record, (type) => context.known.has(type));
    if (decoded.kind === 'damaged' || !opening.add(decoded.event)) break;
  }
  return { header, length: stored.length, opening: opening.events };
}

export async function* read(
  context: StoreContext,
  given: SessionId,
  range: Range,
): AsyncGenerator<SessionRecord> {
  const id = parseSessionId(given);
  const live = liveHere(context, id);
  if (live === undefined) {
    yield* storedRecords(context, id, range);
    return;
  }
  const { from = 0, to = live.session.length, signal } = range;
  const { first } = live.live.log;
  if (from < first) yield* storedRecords(context, id, { from, to: Math.min(first, to), signal });
  for (const event of live.live.log.slice(Math.max(from, first), to)) {
    range.signal?.throwIfAborted();
    yield context.known.has(event.type)
      ? { kind: 'event', event: event as SessionEvent }
      : { kind: 'unknown', event: event as UnknownEvent };
  }
}

export async function verify(
  context: StoreContext,
  given: SessionId,
  { signal }: WaitOptions,
): Promise<VerifyReport> {
  const id = parseSessionId(given);
  const damaged: VerifyReport['damaged'][number][] = [];
  let events = 0;
  for await (const record of storedRecords(context, id, { signal })) {
    if (record.kind !== 'damaged') events += 1;
    else {
      const { reason, bytes, seq } = record;
      damaged.push(seq === undefined ? { reason, bytes } : { seq, reason, bytes });
    }
  }
  return { id, events, damaged };
}

/** A header that cannot be given does not keep the records from being exported. */
async function headerLine(context: StoreContext, id: SessionId, options: WaitOptions): Promise<string> {
  try {
    return await headerText(context, id, options);
  } catch (error) {
    if (!SessionError.is(error) || error.code !== 'INVALID_HEADER') throw error;
    return JSON.stringify({ damaged: { kind: 'damaged', reason: error.message } });
  }
}

/** The header's line, then one line per record. */
export async function* exportLines(
  context: StoreContext,
  given: SessionId,
  { signal }: WaitOptions,
): AsyncGenerator<string> {
  const id = parseSessionId(given);
  yield await headerLine(context, id, { signal });
  for await (const chunk of context.driver.read(id, { from: 0, signal })) {
    for (const record of chunk) {
      signal?.throwIfAborted();
      yield record.kind === 'event' ? record.json : (record.raw ?? JSON.stringify({ damaged: record }));
    }
  }
}
