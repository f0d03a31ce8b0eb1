/**
 * Reads the end of a stored log, and the rest of it when that is asked for (S27).
 * I1. A summary counts only where it fits: it covers no more than there is, and the record before its end is the
 *     one that it was made with. Where it does not, the whole log is read, as if there were none.
 * I2. Whether it fits in all shows when the rest is read: then it is worked out again and compared.
 */
import { SessionError, sessionError } from '../errors.ts';
import { createEventLog, type EventLog, type LogEvent } from '../log/event-log.ts';
import type { SessionHeader } from '../header.ts';
import type { SessionId } from '../ids.ts';
import { createOpening } from '../log/opening.ts';
import { decodeOutline, encodeOutline, endsWith, extend, type Outline } from '../log/outline.ts';
import type { WaitOptions } from '../session.ts';
import type { StoreContext } from './context.ts';
import { loadLog, wholeEvents, type LoadedLog } from './stored-log.ts';

export interface LoadOptions extends WaitOptions {
  readonly header: SessionHeader;
  /** How many events the medium holds. */
  readonly length: number;
  readonly summary?: string | undefined;
  /** For messages: `opened`, `forked`. */
  readonly what: string;
}

export interface LoadedEnd extends LoadedLog {
  /** What the log starts after was taken from this outline. */
  readonly summary?: Outline;
}

/** A log of so few UTF-16 units is read at once: it is ready then, and reading its end would not cost less. */
const smallLog = 16 * 1024;

/** The end of the log, or all of it. Rejects `DAMAGED_LOG` for what it reads. */
export async function loadEnd(context: StoreContext, stored: LoadOptions): Promise<LoadedEnd> {
  const { header, length, what, signal } = stored;
  const ownFrom = header.seedLength ?? 0;
  const summary = stored.summary === undefined ? undefined : decodeOutline(stored.summary, ownFrom);
  if (summary !== undefined && (ownFrom > 0 || summary.size > smallLog)) {
    const end = await endAfter(context, stored, summary);
    if (end !== undefined) return { ...end, summary };
  }
  return loadLog(context, header.id, { ownFrom, to: length, what, signal });
}

/** What follows the summary; nothing where it does not fit (I1). */
async function endAfter(
  context: StoreContext,
  { header: { id }, length, what, signal }: LoadOptions,
  summary: Outline,
): Promise<LoadedLog | undefined> {
  if (summary.length > length) return undefined;
  const log = createEventLog(summary.length);
  const own = summary.length > summary.ownFrom;
  let outline = summary;
  let size = 0;
  const range = { from: own ? summary.length - 1 : summary.length, to: length, what, signal };
  if (range.from === range.to) return { log, outline, size };
  try {
    for await (const chunk of wholeEvents(context, id, range)) {
      for (const { event, json } of chunk) {
        if (event.seq < summary.length) {
          if (!endsWith(summary, json)) return undefined;
          continue;
        }
        log.push(event);
        outline = extend(outline, event, json);
        size += json.length;
      }
    }
  } catch (error) {
    // The whole log says more of what is damaged in it, and whether it is.
    if (SessionError.is(error) && error.code === 'DAMAGED_LOG') return undefined;
    throw error;
  }
  return { log, outline, size };
}

/** The own events before the first own turn, as far as a head shows them, from memory where they are there. */
export async function openingOf(
  context: StoreContext,
  id: SessionId,
  { log, outline }: LoadedLog,
  { signal }: WaitOptions,
): Promise<readonly LogEvent[]> {
  const { ownFrom, firstTurn = outline.length } = outline;
  const opening = createOpening();
  const stored = Math.min(firstTurn, log.first);
  if (stored > ownFrom) {
    const range = { from: ownFrom, to: stored, what: 'opened', signal };
    for await (const chunk of wholeEvents(context, id, range))
      for (const { event, json } of chunk) if (!opening.add(event, json)) return opening.events;
  }
  for (const event of log.slice(Math.max(ownFrom, stored), firstTurn))
    if (!opening.add(event)) return opening.events;
  return opening.events;
}

/** Reads what stands below `to`, and looks whether it is what `summary` says (I2). */
export async function loadRest(
  context: StoreContext,
  id: SessionId,
  {
    to,
    ownFrom,
    summary,
  }: { readonly to: number; readonly ownFrom: number; readonly summary?: Outline | undefined },
): Promise<EventLog> {
  const { log, outline } = await loadLog(context, id, { ownFrom, to, what: 'loaded' });
  if (summary === undefined || encodeOutline(outline) === encodeOutline(summary)) return log;
  throw sessionError(
    'DAMAGED_LOG',
    `session ${id} not loaded: the summary that it was opened with was made of another log`,
  );
}

/** The last events below `length` that reach back to a turn, or all. */
export async function lastTurnBefore(
  context: StoreContext,
  id: SessionId,
  { length, signal }: { readonly length: number } & WaitOptions,
): Promise<readonly LogEvent[]> {
  for (let window = 64; ; window *= 4) {
    const from = Math.max(0, length - window);
    const events: LogEvent[] = [];
    for await (const chunk of wholeEvents(context, id, { from, to: length, what: 'forked', signal }))
      for (const { event } of chunk) events.push(event);
    if (from === 0 || events.some(({ type }) => type === 'turn/start')) return events;
  }
}
