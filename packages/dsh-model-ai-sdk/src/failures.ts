/** [pure] What went wrong with a request, in the words of the model port. Nothing here depends on the SDK's classes. */
import { ModelError, modelError } from '@deepseek-ai/dsh-agent';
import { withoutKeys } from './keys.ts';
import { unwrapped, withBody } from './refusal-text.ts';
import { retryAfterMs, type ResponseHeaders } from './retry-after.ts';

/** What of a failure can be recognized, whatever class it is of. */
interface Clues {
  readonly name: string;
  readonly message: string;
  readonly status: number | undefined;
  /** The provider's own name of the failure. */
  readonly code: string;
  readonly body: string;
  readonly retryable: boolean | undefined;
  readonly headers: ResponseHeaders | undefined;
  /** Codes of the failures below this one, the system's as a rule. */
  readonly causes: readonly string[];
}

interface Verdict {
  readonly code: string;
  readonly retryable: boolean;
}

const cut: Verdict = { code: 'CUT_STREAM', retryable: true };

/** A stream that ended without saying why, or that broke. */
export function cutStream(message: string, cause?: unknown): ModelError {
  return modelError(cut.code, message, { retryable: cut.retryable, cause });
}

/**
 * Makes a {@link ModelError} of whatever a provider throws or streams as an error. `now` is Unix time in milliseconds.
 * A failure whose text holds one of `secrets`, or what looks like a key, is told without it, and without its cause.
 */
export function modelFailure(cause: unknown, now: number, secrets: readonly string[] = []): ModelError {
  if (ModelError.is(cause)) return cause;
  const clues = cluesOf(cause);
  const { code, retryable } = verdictOf(clues);
  const wait = retryAfterMs(clues.headers, now);
  const shown = (text: string): string => withoutKeys(text, code === 'UNAUTHORIZED', secrets);
  const [message, body] = [shown(clues.message), shown(clues.body)];
  const clean = message === clues.message && body === clues.body;
  return modelError(code, withBody(message, body), {
    retryable,
    // It repeats the message and the body.
    ...(clean ? { cause } : {}),
    ...(wait === undefined || !retryable ? {} : { retryAfterMs: wait }),
  });
}

function verdictOf(clues: Clues): Verdict {
  const told = `${clues.code} ${clues.message} ${clues.body}`;
  if (clues.status === 402 || nothingLeft.test(told)) return { code: 'QUOTA_EXCEEDED', retryable: false };
  if (clues.status === 413 || (overflow.test(told) && !isTransient(clues.status)))
    return { code: 'CONTEXT_OVERFLOW', retryable: false };
  return (
    byStatus(clues.status) ?? byName(clues) ?? { code: 'MODEL_FAILED', retryable: clues.retryable ?? false }
  );
}

const nothingLeft =
  /insufficient_quota|insufficient balance|credit balance is too low|billing_(?:hard_limit|not_active)/i;

const overflow = new RegExp(
  [
    'context_length_exceeded|exceed_context_size|request_too_large',
    'context (?:length|window|size|limit)|maximum prompt length|maximum number of (?:input )?tokens',
    'prompt is too long|input is too long|too many (?:input )?tokens',
    "exceeds? the (?:model's )?(?:maximum|max) (?:context|input|token)",
  ].join('|'),
  'i',
);

function isTransient(status: number | undefined): boolean {
  return status === 429 || (status !== undefined && status >= 500);
}

function byStatus(status: number | undefined): Verdict | undefined {
  if (status === undefined || status < 400) return undefined;
  if (status === 429) return { code: 'RATE_LIMITED', retryable: true };
  if (status === 408 || status === 504) return { code: 'TIMEOUT', retryable: true };
  if (status === 409 || status >= 500) return { code: 'OVERLOADED', retryable: true };
  if (status === 401 || status === 403) return { code: 'UNAUTHORIZED', retryable: false };
  return { code: 'BAD_REQUEST', retryable: false };
}

/** Where there is no status: what broke on the way, and what a provider streams as an error. */
function byName({ name, message, code, causes, retryable }: Clues): Verdict | undefined {
  const known = [name, code, ...causes].join(' ');
  const rules: readonly (readonly [RegExp, Verdict])[] = [
    [/rate_?limit/i, { code: 'RATE_LIMITED', retryable: true }],
    [/overloaded|server_?error|api_error|unavailable/i, { code: 'OVERLOADED', retryable: true }],
    [/authentication|permission|AI_LoadAPIKeyError/i, { code: 'UNAUTHORIZED', retryable: false }],
    [/Timeout|ETIMEDOUT|UND_ERR_\w*TIMEOUT/i, { code: 'TIMEOUT', retryable: true }],
    [/ECONNRESET|EPIPE|UND_ERR_SOCKET|ERR_STREAM_PREMATURE_CLOSE|AbortError|ResponseAborted/, cut],
    [/ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH/, { code: 'UNREACHABLE', retryable: true }],
    [
      /AI_(?:InvalidPrompt|InvalidArgument|NoSuchModel|UnsupportedFunctionality)Error|invalid_request/,
      badRequest,
    ],
    [
      /AI_(?:JSONParse|TypeValidation|InvalidResponseData|EmptyResponseBody|NoContentGenerated)Error/,
      badResponse,
    ],
  ];
  if (/without a finish reason|^terminated$/.test(message)) return cut;
  // What Anthropic's package throws where the first piece of a stream is of no form that it knows.
  if (/normalized \w+ stream error/.test(message)) return badResponse;
  const found = rules.find(([pattern]) => pattern.test(known))?.[1];
  if (found !== undefined) return found;
  return retryable === true ? { code: 'UNREACHABLE', retryable } : undefined;
}

const badRequest: Verdict = { code: 'BAD_REQUEST', retryable: false };
const badResponse: Verdict = { code: 'BAD_RESPONSE', retryable: true };

function cluesOf(cause: unknown): Clues {
  const error = objectOf(cause);
  // Streams carry `{ error: { type, code, message } }` or the inner object; classes carry it as `data`.
  const inner = { ...objectOf(objectOf(error['data'])['error']), ...objectOf(error['error']) };
  const status = [error['statusCode'], error['status'], error['code'], inner['code']]
    .map(Number)
    .find(isStatus);
  const names = [error['code'], error['type'], inner['code'], inner['type']];
  return {
    name: textOf(error['name']),
    message:
      [unwrapped(textOf(error['message']), error['cause']), inner['message'], cause]
        .map(textOf)
        .find((text) => text !== '') ?? 'the model failed',
    status,
    code: names.map(textOf).join(' '),
    body: textOf(error['responseBody']),
    retryable: typeof error['isRetryable'] === 'boolean' ? error['isRetryable'] : undefined,
    headers: error['responseHeaders'] as ResponseHeaders | undefined,
    causes: causesOf(error['cause']),
  };
}

function causesOf(cause: unknown): readonly string[] {
  const found: string[] = [];
  let next = objectOf(cause);
  // Bounded, for a cause may be its own.
  for (let depth = 0; depth < 5; depth++) {
    found.push(textOf(next['name']), textOf(next['code']));
    next = objectOf(next['cause']);
  }
  return found;
}

function isStatus(value: number): boolean {
  return Number.isInteger(value) && value >= 100 && value < 600;
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
