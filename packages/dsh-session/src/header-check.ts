/**
 * [pure] What makes a header, and what refuses one.
 */
import { SessionError, sessionError } from './errors.ts';
import type { SeedPrefix, SessionHeader } from './header.ts';
import { sessionIdProblem, type SessionId } from './ids.ts';
import { freezeJson, isRecord, type JsonObject } from './json.ts';

/** The version of headers that this package writes. */
const headerVersion = 1;

type Check = (value: unknown) => string | undefined;

const isCount: Check = (value) =>
  Number.isSafeInteger(value) && (value as number) >= 0 ? undefined : 'it is no count';
const isText: Check = (value) => (typeof value === 'string' ? undefined : 'it is no string');
const isObject: Check = (value) => (isRecord(value) ? undefined : 'it is no object');
// POSIX, a drive letter, or a UNC share: a header outlives the machine that wrote it.
const isAbsolute: Check = (value) =>
  typeof value === 'string' && /^(?:\/|[A-Za-z]:[\\/]|\\\\)/.test(value)
    ? undefined
    : 'it is no absolute path';
const isPrefix: Check = (value) => {
  if (!isRecord(value)) return 'it is no object';
  return sessionIdProblem(value['session']) ?? isCount(value['length']);
};

const optional: Readonly<Record<string, Check>> = {
  cwd: isAbsolute,
  parentSession: sessionIdProblem,
  rootSession: sessionIdProblem,
  forkedFrom: isPrefix,
  seedLength: isCount,
  origin: isText,
  delegationDepth: isCount,
  meta: isObject,
};

/** Validates, copies and freezes. Throws `INVALID_HEADER`, or `NOT_JSON` for what JSON would not keep. */
export function checkHeader(value: unknown): SessionHeader {
  const problem = headerProblem(value);
  if (problem !== undefined) throw sessionError('INVALID_HEADER', problem);
  return freezeJson(value as SessionHeader);
}

/**
 * Reads a stored header, keeping the members that it does not know (S2).
 * Throws `UNSUPPORTED_VERSION` for a newer one, `INVALID_HEADER` for anything else that is none, and where it
 * carries another id than the one that was asked for (S1).
 */
export function parseHeader(json: string, id: SessionId): SessionHeader {
  const value = parse(json, id);
  const version: unknown = isRecord(value) ? value['version'] : undefined;
  if (typeof version === 'number' && version > headerVersion)
    throw sessionError(
      'UNSUPPORTED_VERSION',
      `session ${id} not read: its header has version ${version}, known is ${headerVersion}`,
    );
  const problem = headerProblem(value);
  if (problem !== undefined) throw sessionError('INVALID_HEADER', `session ${id} not read: ${problem}`);
  const header = freezeJson(value as SessionHeader);
  if (header.id !== id)
    throw sessionError('INVALID_HEADER', `session ${id} not read: its header is that of ${header.id}`);
  return header;
}

function parse(json: string, id: SessionId): unknown {
  try {
    return JSON.parse(json);
  } catch (cause) {
    throw sessionError('INVALID_HEADER', `session ${id} not read: its header is no JSON`, { cause });
  }
}

function headerProblem(value: unknown): string | undefined {
  if (!isRecord(value)) return 'the header is no object';
  if (value['version'] !== headerVersion) return `the header's version is not ${headerVersion}`;
  const id = sessionIdProblem(value['id']);
  if (id !== undefined) return `the header's id is none: ${id}`;
  if (!Number.isFinite(value['createdAt'])) return "the header's createdAt is no time";
  for (const [name, check] of Object.entries(optional)) {
    const problem = value[name] === undefined ? undefined : check(value[name]);
    if (problem !== undefined) return `the header's ${name} is not valid: ${problem}`;
  }
  return undefined;
}

/** What a header is made from. */
export interface HeaderFields {
  readonly cwd?: string | undefined;
  readonly parentSession?: SessionId | undefined;
  readonly rootSession?: SessionId | undefined;
  readonly forkedFrom?: SeedPrefix | undefined;
  readonly origin?: string | undefined;
  readonly delegationDepth?: number | undefined;
  readonly meta?: JsonObject | undefined;
}

/** Throws `INVALID_HEADER`, also for a `meta` that JSON would not keep. */
export function makeHeader(id: SessionId, createdAt: number, fields: HeaderFields): SessionHeader {
  const given = Object.entries({ ...fields, seedLength: fields.forkedFrom?.length });
  const present = given.filter(([, value]) => value !== undefined);
  try {
    return checkHeader({ version: headerVersion, id, createdAt, ...Object.fromEntries(present) });
  } catch (cause) {
    if (!SessionError.is(cause)) throw cause;
    throw sessionError('INVALID_HEADER', `session ${id} not created: ${cause.message}`, { cause });
  }
}
