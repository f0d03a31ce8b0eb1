/** [pure] The errors of this package. */
import { codedError } from '@dsh-internal/contract';

/** The codes of this package. The set is open: a minor version may bring new ones. */
export type KnownAgentCode =
  | 'AGENT_CLOSING'
  | 'AGENT_DISPOSED'
  | 'AGENT_EXISTS'
  | 'REGISTRY_CLOSED'
  | 'INBOX_FULL'
  | 'INVALID_MESSAGE'
  | 'ACCEPT_FAILED'
  | 'INBOX_NOT_DURABLE'
  | 'UNKNOWN_MESSAGE'
  | 'NO_MODEL'
  | 'MODEL_FAILED'
  | 'INVALID_OPTION'
  | 'INVALID_TOOL'
  | 'DUPLICATE_TOOL'
  | 'HOOK_FAILED'
  | 'CLAIM_FAILED'
  | 'TURN_ABORTED'
  | 'TURN_NOT_LOGGED'
  | 'INCOMPATIBLE';

/** What this package throws. `message` says what did not happen. */
export interface AgentError extends Error {
  /** An open set: later versions and models may add to it. */
  readonly code: KnownAgentCode | (string & {});
}

const kind = codedError('AgentError', '@deepseek-ai/dsh-agent/error');

/** Tells an {@link AgentError}, also of another installed copy of this package. */
export const AgentError: { is(value: unknown): value is AgentError } = {
  is: (value): value is AgentError => kind.is(value),
};

/** Makes an {@link AgentError}. For loops and models of one's own; callers only meet it. */
export function agentError(
  code: AgentError['code'],
  message: string,
  options?: { readonly cause?: unknown },
): AgentError {
  return kind.create(code, message, options);
}
