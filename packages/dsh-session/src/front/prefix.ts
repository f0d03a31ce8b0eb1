/** Finds the leading events with which a fork starts (S22, S23, S24). */
import { untilAborted } from '@dsh-internal/async';
import { sessionError } from '../errors.ts';
import type { EventLog } from '../event-log.ts';
import type { SeedPrefix, SessionHeader } from '../header.ts';
import type { SessionId } from '../ids.ts';
import { shapeAt } from '../live-session.ts';
import type { WaitOptions } from '../session.ts';
import type { TurnShape } from '../turn-shape.ts';
import type { Slot } from '../store-status.ts';
import type { StoreContext } from './context.ts';
import { loadLog, storedHeader } from './load.ts';
import type { Resident } from './resident.ts';

export interface FoundPrefix {
  readonly prefix: SeedPrefix;
  readonly log: EventLog;
  readonly shape: TurnShape;
  /** Of the source. */
  readonly header: SessionHeader;
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
  if (slot?.kind !== 'live') {
    const header = await storedHeader(context, source, { signal });
    const log = await loadLog(context, source, { signal, ...(length === undefined ? {} : { to: length }) });
    return cut(source, header, log, length);
  }
  const { session, live, queue } = slot.resident;
  const found = cut(source, session.header, live.log, length);
  if (queue.durableLength < found.prefix.length) {
    if (slot.resident.phase === 'held')
      throw sessionError('NOT_DURABLE', `session ${source} not forked: it is provisional`);
    await untilAborted(context.writer.flush(queue), signal);
  }
  return found;
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

function cut(
  source: SessionId,
  header: SessionHeader,
  log: EventLog,
  wanted: number | undefined,
): FoundPrefix {
  const length = wanted ?? throughLastTurn(log);
  if (length > log.length)
    throw sessionError(
      'INVALID_PREFIX',
      `session ${source} not forked: it has ${log.length} events, not ${length}`,
    );
  const shape = shapeAt(log, length);
  if (shape.open !== undefined)
    throw sessionError(
      'OPEN_TURN',
      `session ${source} not forked: at ${length}, its turn ${shape.open} is open`,
    );
  return { prefix: { session: source, length }, log: log.fork(length), shape, header };
}

function throughLastTurn(log: EventLog): number {
  let length = log.length;
  while (length > 0 && log.at(length - 1)?.type !== 'turn/end') length -= 1;
  return length;
}
