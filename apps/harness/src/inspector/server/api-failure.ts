/** [pure] Why something was not done, as the page gets it. */
import { AgentError } from '@deepseek-ai/dsh-agent';
import { SessionError } from '@deepseek-ai/dsh-session';
import { SubagentError } from '@deepseek-ai/dsh-subagents';
import type { ApiError, KnownApiCode } from '../protocol.ts';

export type FailureStatus = 400 | 401 | 403 | 404 | 405 | 409 | 413 | 415 | 429 | 500 | 503;

const statuses: Readonly<Record<KnownApiCode, FailureStatus>> = {
  NO_ENTRY: 401,
  WRONG_HOST: 403,
  WRONG_ORIGIN: 403,
  NOT_FOUND: 404,
  WRONG_METHOD: 405,
  NOT_JSON: 415,
  TOO_LARGE: 413,
  INVALID_REQUEST: 400,
  NOT_LIVE: 409,
  NO_MODEL: 409,
  NOTHING_TO_INTERRUPT: 409,
  NOT_A_CHILD: 409,
  TOO_MANY_READERS: 503,
  BUSY: 429,
  INTERNAL: 500,
};

/** Of the packages; what is not named here is a conflict with how things stand. */
const foreign: Readonly<Record<string, FailureStatus>> = {
  SESSION_NOT_FOUND: 404,
  INVALID_SESSION_ID: 404,
  INVALID_REQUEST: 400,
  INVALID_MESSAGE: 400,
  LIMIT_REACHED: 429,
  INBOX_FULL: 429,
  DRAINING: 503,
  REGISTRY_CLOSED: 503,
  STORE_CLOSED: 503,
  ACTIVATION_TEARDOWN_FAILED: 500,
};

/** Thrown by what serves a request; told by its mark, and never by its class. */
export interface ApiFailure extends Error {
  readonly code: KnownApiCode;
}

const mark = Symbol('api failure');

export function apiFailure(code: KnownApiCode, message: string): ApiFailure {
  return Object.assign(new Error(message), { code, [mark]: true });
}

export interface FailureReply {
  readonly status: FailureStatus;
  readonly body: ApiError;
}

export function failureReply(error: unknown): FailureReply {
  if (isApiFailure(error)) return replyOf(error.code, error.message);
  if (!SubagentError.is(error) && !AgentError.is(error) && !SessionError.is(error))
    return replyOf('INTERNAL', 'Something went wrong in the server; nothing is known of what was done.');
  const { code, message } = error;
  const status = Object.hasOwn(foreign, code) ? foreign[code] : undefined;
  if (status === 404) return replyOf('NOT_FOUND', message);
  return { status: status ?? 409, body: { code, message } };
}

function replyOf(code: KnownApiCode, message: string): FailureReply {
  return { status: statuses[code], body: { code, message } };
}

function isApiFailure(error: unknown): error is ApiFailure {
  return error instanceof Error && mark in error;
}
