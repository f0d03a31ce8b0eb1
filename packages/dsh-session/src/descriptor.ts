/**
 * [pure] A versioned record at the start of a log, from which its owner can be reconstructed (S25).
 */
import { sessionError } from './errors.ts';
import type { NewEvent, SessionEvent, UnknownEvent } from './event.ts';
import { freezeJson, isRecord, type JsonValue } from './json.ts';
import { hasRoomFor } from './log/opening.ts';
import type { Session } from './session.ts';
import type { SchemaIssue, SchemaResult, StandardSchema } from './standard-schema.ts';

/** What a kind of descriptor is. */
export interface DescriptorOptions<Value> {
  /** The event type, such as `my-app/descriptor`. */
  readonly type: string;
  /** Of the shape of the value. Another one in a log reads as `unsupported`. */
  readonly version: number;
  /** Must validate synchronously. */
  readonly schema: StandardSchema<Value>;
}

/** What a log holds: the value, none, that of another version, or one that the schema refuses. */
export type DescriptorReading<Value> =
  | { readonly kind: 'ok'; readonly value: Value }
  | { readonly kind: 'none' }
  | { readonly kind: 'unsupported'; readonly version: number }
  | { readonly kind: 'malformed'; readonly issues: readonly SchemaIssue[] };

/** Where a descriptor is read: a `SessionHead`, or a live Session. */
export interface DescriptorSource {
  /** Own events alone: an ancestor's descriptor in an inherited prefix is not ours. */
  readonly opening: readonly (SessionEvent | UnknownEvent)[];
}

/** One kind of descriptor. Made by {@link defineDescriptor}. */
export interface Descriptor<Value> {
  /** The event type. */
  readonly type: string;
  /** Of the shape that it writes and reads. */
  readonly version: number;
  /**
   * Appends the descriptor. Throws `INVALID_EVENT` where the schema refuses `value`, or where it would end behind
   * the 64 KiB that a head shows; `INVALID_SEQUENCE` after the first own turn has started or where a descriptor of
   * this type stands already.
   */
  write(session: Session, value: Value): SessionEvent;
  /** Reads the own events before the first own turn; what an inherited prefix holds is not ours. */
  read(source: DescriptorSource): DescriptorReading<Value>;
}

/** Declares a kind of descriptor. Its event's data is `{ version, value }`. */
export function defineDescriptor<Value>({
  type,
  version,
  schema,
}: DescriptorOptions<Value>): Descriptor<Value> {
  return {
    type,
    version,
    write(session, value) {
      const result = validate(type, schema, value);
      if (result.issues !== undefined)
        throw sessionError(
          'INVALID_EVENT',
          `${type} of session ${session.id} not written: ${wording(result.issues)}`,
        );
      const own = session.length - (session.header.seedLength ?? 0);
      if (session.opening.length < own)
        throw sessionError(
          'INVALID_SEQUENCE',
          `${type} of session ${session.id} not written: a turn has started, or more stands before it than a head shows`,
        );
      if (session.opening.some((event: { type: string }) => event.type === type))
        throw sessionError(
          'INVALID_SEQUENCE',
          `${type} of session ${session.id} not written: there is one already`,
        );
      const data = freezeJson({ version, value: result.value }) as unknown as JsonValue;
      if (!hasRoomFor(session.opening, { seq: session.length, time: Number.MAX_SAFE_INTEGER, type, data }))
        throw sessionError(
          'INVALID_EVENT',
          `${type} of session ${session.id} not written: a head shows 64 KiB, and it would end behind that`,
        );
      // The type is the caller's: the compiler knows only those that were merged into the map.
      const entry = { type, data } as unknown as NewEvent;
      return session.append(entry.type, entry.data);
    },
    read({ opening }) {
      const found = opening.filter((event: { type: string }) => event.type === type);
      const [event] = found;
      if (event === undefined) return { kind: 'none' };
      if (found.length > 1) return malformed('there is more than one');
      return readData(event.data);
    },
  };

  function readData(data: unknown): DescriptorReading<Value> {
    if (!isRecord(data) || !Number.isSafeInteger(data['version']))
      return malformed('its version is no integer');
    if (data['version'] !== version) return { kind: 'unsupported', version: data['version'] as number };
    const result = validate(type, schema, data['value']);
    return result.issues === undefined
      ? { kind: 'ok', value: result.value }
      : { kind: 'malformed', issues: result.issues };
  }
}

function validate<Value>(type: string, schema: StandardSchema<Value>, value: unknown): SchemaResult<Value> {
  const result = schema['~standard'].validate(value);
  if (!('then' in result)) return result;
  throw sessionError('INVALID_EVENT', `${type} not checked: its schema validates asynchronously`);
}

function malformed(message: string): { readonly kind: 'malformed'; readonly issues: readonly SchemaIssue[] } {
  return { kind: 'malformed', issues: [{ message }] };
}

function wording(issues: readonly SchemaIssue[]): string {
  return issues
    .map(({ path, message }) => {
      const steps = (path ?? []).map((step) => String(typeof step === 'object' ? step.key : step));
      return steps.length === 0 ? message : `${steps.join('.')}: ${message}`;
    })
    .join('; ');
}
