import type { SessionId } from '@deepseek-ai/dsh-session';
import { codedError } from '@dsh-internal/contract';

/** The codes of this package. The set is open: a minor version may bring new ones. */
export type KnownSubagentCode =
  | 'NO_PROVIDER'
  | 'DUPLICATE_PROVIDER'
  | 'PROVIDER_FAILED'
  | 'UNSUPPORTED_CAPABILITY'
  | 'DUPLICATE_CHILD'
  | 'DEPTH_EXCEEDED'
  | 'LIMIT_REACHED'
  | 'DRAINING'
  | 'ACTIVATION_CLOSING'
  | 'UNAUTHORIZED'
  | 'NOT_RESUMABLE'
  | 'PARENT_UNAVAILABLE'
  | 'BUSY_ELSEWHERE'
  | 'ACTIVATION_TEARDOWN_FAILED'
  | 'INVALID_REQUEST'
  | 'INCOMPATIBLE';

/** What this package throws. `message` says what did not happen. */
export interface SubagentError extends Error {
  /** An open set: later versions may add to it. */
  readonly code: KnownSubagentCode | (string & {});
  /** With `UNAUTHORIZED`: at most ten ids that the sender can reach (M12). */
  readonly reachable?: readonly SessionId[];
  /** With `ACTIVATION_TEARDOWN_FAILED`: every failure of that teardown. */
  readonly errors?: readonly unknown[];
}

/** What an error carries beside its code and its sentence. */
export interface SubagentErrorOptions {
  readonly cause?: unknown;
  readonly reachable?: readonly SessionId[];
  readonly errors?: readonly unknown[];
}

const kind = codedError('SubagentError', '@deepseek-ai/dsh-subagents/error');

/** Tells a {@link SubagentError}, also of another installed copy of this package. */
export const SubagentError: { is(value: unknown): value is SubagentError } = {
  is: (value): value is SubagentError => kind.is(value),
};

/** Makes a {@link SubagentError}. For tools and providers of one's own; callers only meet it. */
export function subagentError(
  code: SubagentError['code'],
  message: string,
  options: SubagentErrorOptions = {},
): SubagentError {
  const { cause, ...data } = options;
  return kind.create(code, message, cause === undefined ? { data } : { cause, data });
}
