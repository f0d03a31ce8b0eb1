/** [pure] The errors of this package, and how they are told. */
import { codedError } from '@dsh-internal/contract';

/** The codes of this package. The set is open: a minor version may bring new ones. */
export type KnownSessionCode =
  | 'INVALID_SESSION_ID'
  | 'INVALID_HEADER'
  | 'INVALID_EVENT'
  | 'INVALID_SEQUENCE'
  | 'INVALID_PREFIX'
  | 'NOT_JSON'
  | 'SESSION_EXISTS'
  | 'SESSION_NOT_FOUND'
  | 'SESSION_LIVE'
  | 'SESSION_LOCKED'
  | 'SESSION_CLOSED'
  | 'STORE_CLOSED'
  | 'NOT_READY'
  | 'NOT_DURABLE'
  | 'BACKPRESSURE'
  | 'OPEN_TURN'
  | 'DAMAGED_LOG'
  | 'UNKNOWN_ESSENTIAL_EVENT'
  | 'UNSUPPORTED_VERSION'
  | 'INVALID_QUERY'
  | 'INVALID_OPTION'
  | 'FENCED'
  | 'INCOMPATIBLE';

/** What this package and its drivers throw. `message` says what did not happen. */
export interface SessionError extends Error {
  /** An open set: later versions and drivers may add to it. */
  readonly code: KnownSessionCode | (string & {});
  /** With `SESSION_LOCKED` and `FENCED`: who holds the writer's place. */
  readonly holder?: PlaceHolder;
}

/** Who holds a writer's place. */
export interface PlaceHolder {
  /** Of its process. */
  readonly pid?: number;
  /** The name of its machine. */
  readonly host?: string;
  /** Unix epoch, milliseconds. */
  readonly since?: number;
}

const kind = codedError('SessionError', '@deepseek-ai/dsh-session/error');

/** Tells a {@link SessionError}, also of another installed copy of this package. */
export const SessionError: { is(value: unknown): value is SessionError } = {
  is: (value): value is SessionError => kind.is(value),
};

/** Makes a {@link SessionError}. For drivers; callers of a store only meet it. */
export function sessionError(
  code: SessionError['code'],
  message: string,
  options?: { readonly cause?: unknown; readonly holder?: PlaceHolder },
): SessionError {
  const { holder, ...rest } = options ?? {};
  return kind.create(code, message, holder === undefined ? rest : { ...rest, data: { holder } });
}
