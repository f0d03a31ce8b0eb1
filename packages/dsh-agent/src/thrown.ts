/** [pure] What can be said of something that a caller, a model or a tool handed over. None of it throws, whatever that is. */
import type { TurnEndReason } from '@deepseek-ai/dsh-session';
import type { CancelCause } from './agent.ts';

/** The member of that name where it is a text. */
export function textMember(value: unknown, name: string): string | undefined {
  try {
    const found = (value as Readonly<Record<string, unknown>> | null | undefined)?.[name];
    return typeof found === 'string' ? found : undefined;
  } catch {
    return undefined;
  }
}

export function messageOf(error: unknown): string {
  const message = textMember(error, 'message');
  if (message !== undefined) return message;
  try {
    return String(error);
  } catch {
    return 'it cannot be shown';
  }
}

export function asError(error: unknown): Error {
  try {
    if (error instanceof Error) return error;
  } catch {
    // Not even its kind can be looked at.
  }
  return new Error(messageOf(error), { cause: error });
}

/** The end of a turn that was cut short by a failure. */
export function errorReason(error: unknown): TurnEndReason {
  return { kind: 'error', code: textMember(error, 'code') ?? 'ERROR', message: messageOf(error) };
}

/** A cause as the log keeps it: of an object its code alone, so that no cause can keep a turn from ending in the log. */
export function readCause(cause: unknown): CancelCause {
  if (typeof cause === 'string') return cause as CancelCause;
  return { code: textMember(cause, 'code') ?? 'UNKNOWN_CAUSE' };
}
