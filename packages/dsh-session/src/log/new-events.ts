/**
 * [pure] What entries become when they are appended: events, their texts, and the outline of the log with them.
 * I1. An entry that may not stand in its place refuses all of them, and nothing has changed then.
 * I2. Data is copied as it is checked: nothing of the caller's is changed or kept.
 * I3. The caller's code, such as a getter in the data, runs while entries are copied, and not after that: what it
 *     appends stands before them.
 */
import { encodeEvent } from './codec.ts';
import { coreDataProblem } from './core-data.ts';
import type { StoredEvent } from '../driver.ts';
import { SessionError, sessionError } from '../errors.ts';
import type { NewEvent, SessionEvent } from '../event.ts';
import { isUserMessage } from './event-log.ts';
import type { SessionId } from '../ids.ts';
import { copyJson } from '../json.ts';
import { extend, type Outline } from './outline.ts';
import { sequenceProblem } from './turn-shape.ts';
import { isAlwaysEssential, type KnownTypes } from './vocabulary.ts';

/** The log that they come behind. */
export interface LogEnd {
  readonly id: SessionId;
  readonly known: KnownTypes;
  readonly outline: Outline;
  /** Of the own user messages, as far as they are in memory (S10). */
  readonly messageIds: ReadonlySet<string>;
}

export interface NewEvents {
  /** Frozen, in the order of the entries. */
  readonly events: readonly SessionEvent[];
  /** The text of each. */
  readonly stored: readonly StoredEvent[];
  readonly outline: Outline;
}

/** What the caller handed in, checked and copied. */
export interface CopiedEntries {
  readonly entries: readonly CopiedEntry[];
  /** What is frozen at the end: it is made text before that (json.ts). */
  readonly made: readonly object[];
}

type CopiedEntry = NewEvent & { readonly essential: boolean };

/** Runs the caller's code (I3). Throws `INVALID_EVENT`, and `NOT_JSON` with the path of the offending value. */
export function copyEntries(end: Pick<LogEnd, 'id' | 'known'>, entries: readonly NewEvent[]): CopiedEntries {
  const made: object[] = [];
  return { entries: Array.from(entries, (entry) => copyEntry(end, entry, made)), made };
}

function copyEntry({ id, known }: Pick<LogEnd, 'id' | 'known'>, given: unknown, made: object[]): CopiedEntry {
  // Callers without types may hand in anything.
  const entry = (given ?? {}) as {
    readonly type?: unknown;
    readonly data?: unknown;
    readonly essential?: unknown;
  };
  const { type, essential } = entry;
  const refuse = (why: string): Error => sessionError('INVALID_EVENT', `session ${id} took no event: ${why}`);
  if (typeof type !== 'string' || type === '') throw refuse('its type is no text');
  if (essential === true && !known.has(type))
    throw refuse(`${type} was not learned, so it cannot be essential`);
  const data = copyData(id, type, entry, made);
  const problem = coreDataProblem(type, data);
  if (problem !== undefined) throw refuse(`its data is not that of ${type}: ${problem}`);
  return { type, data, essential: essential === true || isAlwaysEssential(type) } as CopiedEntry;
}

/** Throws `INVALID_SEQUENCE`. */
export function makeEvents(end: LogEnd, { entries, made }: CopiedEntries, time: number): NewEvents {
  const events: SessionEvent[] = [];
  const stored: StoredEvent[] = [];
  const newIds = new Set<string>();
  let { outline } = end;
  for (const { type, data, essential } of entries) {
    const plain = { seq: outline.length, time, type, data };
    const event = (essential ? { ...plain, essential } : plain) as SessionEvent;
    const problem =
      sequenceProblem(outline.shape, event, event.seq) ?? repeated(event, end.messageIds, newIds);
    if (problem !== undefined)
      throw sessionError('INVALID_SEQUENCE', `session ${end.id} took no ${event.type}: ${problem}`);
    const text = encodeEvent(event);
    outline = extend(outline, event, text.json);
    events.push(event);
    stored.push(text);
  }
  for (const part of made) Object.freeze(part);
  for (const event of events) Object.freeze(event);
  return { events, stored, outline };
}

/** The error of a value that JSON would not keep says as well what did not happen. */
function copyData(id: SessionId, type: string, entry: { readonly data?: unknown }, made: object[]): unknown {
  try {
    return copyJson(entry.data, made);
  } catch (cause) {
    if (!SessionError.is(cause)) throw cause;
    throw sessionError(cause.code, `session ${id} took no ${type}: ${cause.message}`);
  }
}

/** `now` gets the id of a message that neither the log nor an entry before it has. */
function repeated(event: SessionEvent, before: ReadonlySet<string>, now: Set<string>): string | undefined {
  if (!isUserMessage(event)) return undefined;
  const { id } = event.data;
  if (before.has(id) || now.has(id)) return `message ${id} is in the log already`;
  now.add(id);
  return undefined;
}
