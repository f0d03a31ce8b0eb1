/**
 * [pure] Events as text, and text as events.
 * The text is the JSON of `{ seq, time, type, data, essential? }` on one line.
 */
import { coreDataProblem } from './core-data.ts';
import type { StoredEvent, StoredRecord } from '../driver.ts';
import type { SessionEvent, SessionRecord, UnknownEvent } from '../event.ts';
import type { LogEvent } from './event-log.ts';
import { isRecord, type JsonValue } from '../json.ts';

/** `JSON.stringify` escapes line breaks and lone surrogates, so the result is one well-formed line. */
export function encodeEvent(event: LogEvent): StoredEvent {
  const { seq, time, type, data, essential } = event;
  const json = JSON.stringify(
    essential === true ? { seq, time, type, data, essential } : { seq, time, type, data },
  );
  return { kind: 'event', seq, json };
}

/** Never throws: what is no event becomes a `damaged` record (S16). */
export function decodeRecord(record: StoredRecord, knows: (type: string) => boolean): SessionRecord {
  if (record.kind === 'damaged') return damaged(record.seq, record.reason, record.bytes);
  const size = record.json.length;
  try {
    const value: unknown = JSON.parse(record.json);
    const problem = eventProblem(value, record.seq);
    if (problem !== undefined) return damaged(record.seq, problem, size);
    const event = frozen(value as UnknownEvent);
    return knows(event.type) ? { kind: 'event', event: event as SessionEvent } : { kind: 'unknown', event };
  } catch {
    // Broken text, or text that is nested deeper than the stack goes.
    return damaged(record.seq, 'it is no JSON that can be read', size);
  }
}

/** Without the members that no event has. */
function frozen({ seq, time, type, data: parsed, essential }: UnknownEvent): UnknownEvent {
  const data = freezeParsed(parsed);
  return Object.freeze(essential === true ? { seq, time, type, data, essential } : { seq, time, type, data });
}

function eventProblem(value: unknown, seq: number): string | undefined {
  if (!isRecord(value)) return 'it is no object';
  if (value['seq'] !== seq) return `its seq is not ${seq}`;
  if (!Number.isFinite(value['time'])) return 'its time is no number';
  const type = value['type'];
  if (typeof type !== 'string') return 'its type is no string';
  if (value['data'] === undefined) return 'it has no data';
  const problem = coreDataProblem(type, value['data']);
  return problem === undefined ? undefined : `its data is not that of ${type}: ${problem}`;
}

/** What `JSON.parse` gave is plain and nobody else's: it is frozen where it is. */
function freezeParsed(value: JsonValue): JsonValue {
  if (typeof value !== 'object' || value === null) return value;
  for (const member of Object.values<JsonValue>(value)) freezeParsed(member);
  return Object.freeze(value);
}

function damaged(seq: number | undefined, reason: string, bytes: number): SessionRecord {
  return seq === undefined ? { kind: 'damaged', reason, bytes } : { kind: 'damaged', seq, reason, bytes };
}
