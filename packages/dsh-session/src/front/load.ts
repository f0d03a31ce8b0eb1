/** Reads a stored log into memory. */
import { untilAborted } from '@dsh-internal/async';
import { decodeRecord } from '../codec.ts';
import { sessionError } from '../errors.ts';
import type { SessionRecord } from '../event.ts';
import { createEventLog, type EventLog } from '../event-log.ts';
import type { SessionHeader } from '../header.ts';
import { parseHeader } from '../header-check.ts';
import type { SessionId } from '../ids.ts';
import type { WaitOptions } from '../session.ts';
import type { StoreContext } from './context.ts';

export interface Range extends WaitOptions {
  readonly from?: number;
  readonly to?: number;
}

/** The records of the medium, decoded. The signal also ends a wait that the driver does not give up. */
export async function* storedRecords(
  context: StoreContext,
  id: SessionId,
  { from = 0, to, signal }: Range,
): AsyncGenerator<SessionRecord> {
  const knows = (type: string): boolean => context.known.has(type);
  const chunks = context.driver
    .read(id, { from, signal, ...(to === undefined ? {} : { to }) })
    [Symbol.asyncIterator]();
  try {
    for (;;) {
      const result = await untilAborted(chunks.next(), signal);
      if (result.done === true) return;
      for (const record of result.value) yield decodeRecord(record, knows);
    }
  } finally {
    chunks.return?.().then(undefined, () => undefined);
  }
}

export async function storedHeader(
  context: StoreContext,
  id: SessionId,
  { signal }: WaitOptions,
): Promise<SessionHeader> {
  const head = await untilAborted(context.driver.head(id, { signal }), signal);
  return parseHeader(head.header, id);
}

/**
 * The log as one that can be gone on with.
 * Rejects `DAMAGED_LOG` (S16) and `UNKNOWN_ESSENTIAL_EVENT` (S8).
 */
export async function loadLog(context: StoreContext, id: SessionId, range: Range): Promise<EventLog> {
  const log = createEventLog();
  for await (const record of storedRecords(context, id, range)) {
    if (record.kind === 'damaged') throw damagedLog(id, log.length, record.reason);
    const { event } = record;
    if (event.seq !== log.length) throw damagedLog(id, log.length, `the next record has seq ${event.seq}`);
    if (record.kind === 'unknown' && event.essential === true)
      throw sessionError(
        'UNKNOWN_ESSENTIAL_EVENT',
        `session ${id} not opened: event ${event.seq} is an essential ${event.type}, which is not known here`,
      );
    log.push(event);
  }
  return log;
}

export function damagedLog(id: SessionId, seq: number, reason: string): Error {
  return sessionError('DAMAGED_LOG', `session ${id} not opened: event ${seq} cannot be read: ${reason}`);
}
