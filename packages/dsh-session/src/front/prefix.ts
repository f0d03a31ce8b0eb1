/**
 * Finds the leading events with which a fork starts (S22, S23, S24).
 * I1. What is found does not depend on how long the prefix is: its end is looked at, and the rest is not read.
 */
import { untilAborted } from '@dsh-internal/async';
import { SessionError, sessionError } from '../errors.ts';
import type { EventLog, LogEvent } from '../log/event-log.ts';
import type { SeedPrefix, SessionHeader } from '../header.ts';
import { parseHeader } from '../header-check.ts';
import type { SessionId } from '../ids.ts';
import { outlineAt, outlineAtRest } from '../log/outline-at.ts';
import type { Outline } from '../log/outline.ts';
import type { WaitOptions } from '../session.ts';
import type { Slot } from './store-status.ts';
import type { StoreContext } from './context.ts';
import { requireKnown, type LoadedLog } from './stored-log.ts';
import type { Resident } from './resident.ts';
import { lastTurnBefore, loadEnd, loadRest } from './end-of-log.ts';

export interface FoundPrefix {
  readonly prefix: SeedPrefix;
  readonly log: EventLog;
  readonly outline: Outline;
  /** Of the source. */
  readonly header: SessionHeader;
  /** Reads what stands before `log`, for the fork of that id. */
  readonly loadRest: (fork: SessionId) => Promise<EventLog>;
}

interface Source extends WaitOptions {
  readonly id: SessionId;
  readonly header: SessionHeader;
  readonly found: Pick<LoadedLog, 'log' | 'outline'>;
  readonly wanted: number | undefined;
}

/** Without `length`: through the last `turn/end`. What it found is durable when it resolves. */
export async function findPrefix(
  context: StoreContext,
  source: SessionId,
  { length, signal }: { readonly length?: number | undefined } & WaitOptions,
): Promise<FoundPrefix> {
  if (length !== undefined && !(Number.isSafeInteger(length) && length >= 0))
    throw sessionError('INVALID_PREFIX', `session ${source} not forked: ${length} is no length`);
  const slot = await settledSlot(context, source, signal);
  if (slot?.kind !== 'live') return cut(context, await storedSource(context, source, { length, signal }));
  const { session, live, queue, phase } = slot.resident;
  const { header } = session;
  const { log, outline } = live;
  const found = await cut(context, { id: source, header, found: { log, outline }, wanted: length, signal });
  if (queue.durableLength < found.prefix.length) {
    if (phase === 'provisional')
      throw sessionError('NOT_DURABLE', `session ${source} not forked: it is provisional`);
    await untilAborted(context.writer.flush(queue), signal);
  }
  return found;
}

async function storedSource(
  context: StoreContext,
  id: SessionId,
  { length: wanted, signal }: { readonly length: number | undefined } & WaitOptions,
): Promise<Source> {
  const head = await untilAborted(context.driver.head(id, { signal, startBytes: 0 }), signal);
  const header = parseHeader(head.header, id);
  const { length, summary } = head;
  const found = await loadEnd(context, { header, length, summary, what: 'forked', signal });
  return { id, header, found, wanted, signal };
}

/**
 * A source that is being closed is looked at when that is over. One that is being made is not waited for: it may
 * be waiting for us. Of it, what is stored counts.
 */
async function settledSlot(
  context: StoreContext,
  source: SessionId,
  signal: AbortSignal | undefined,
): Promise<Slot<Resident> | undefined> {
  for (;;) {
    const slot = context.residents.slots.get(source);
    if (slot?.kind !== 'closing') return slot;
    await untilAborted(slot.gone, signal);
  }
}

async function cut(context: StoreContext, source: Source): Promise<FoundPrefix> {
  const { id, header, found, wanted } = source;
  const { log } = found;
  const length = wanted ?? found.outline.rest.at;
  // What is appended while something is read is not of this fork.
  const mine = log.fork(Math.min(length, log.length));
  if (length > log.length)
    throw sessionError(
      'INVALID_PREFIX',
      `session ${id} not forked: it has ${log.length} events, not ${length}`,
    );
  const outline =
    length === found.outline.rest.at
      ? outlineAtRest(found.outline)
      : outlineAt(found.outline, length, await lastEvents(context, source, length));
  const { open } = outline.shape;
  if (open !== undefined)
    throw sessionError('OPEN_TURN', `session ${id} not forked: at ${length}, its turn ${open} is open`);
  requireKnown(context, id, 'forked', outline);
  return {
    prefix: { session: id, length },
    log: mine,
    outline,
    header,
    loadRest: (fork) => loadInherited(context, [fork, id], mine.first),
  };
}

/** Back to the last turn before `length`, from memory where it is there. */
async function lastEvents(
  context: StoreContext,
  { id, found: { log }, signal }: Source,
  length: number,
): Promise<readonly LogEvent[]> {
  let start = length;
  while (start > log.first && log.at(start - 1)?.type !== 'turn/start') start -= 1;
  if (start > log.first || log.first === 0) return log.slice(Math.max(0, start - 1), length);
  return lastTurnBefore(context, id, { length, signal });
}

/** A fork that is not written yet is not under its own id: then its source is asked. */
async function loadInherited(
  context: StoreContext,
  [fork, source]: readonly [SessionId, SessionId],
  to: number,
): Promise<EventLog> {
  try {
    return await loadRest(context, fork, { to, ownFrom: to });
  } catch (error) {
    if (!SessionError.is(error) || error.code !== 'SESSION_NOT_FOUND') throw error;
    return loadRest(context, source, { to, ownFrom: to });
  }
}
