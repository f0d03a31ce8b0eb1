import { describe, expect, it } from 'vitest';
import { ModelError, modelError } from '@deepseek-ai/dsh-agent';
import { cutStream, modelFailure } from '../src/failures.ts';
import { retryAfterMs } from '../src/retry-after.ts';

const now = Date.UTC(2026, 0, 1, 12, 0, 0);
const error = (fields: object, message = 'failed') => Object.assign(new Error(message), fields);

describe('modelFailure', () => {
  it.each([
    ['429', { statusCode: 429 }, { code: 'RATE_LIMITED', retryable: true }],
    ['500', { statusCode: 500 }, { code: 'OVERLOADED', retryable: true }],
    ['503', { statusCode: 503 }, { code: 'OVERLOADED', retryable: true }],
    ['529', { statusCode: 529 }, { code: 'OVERLOADED', retryable: true }],
    ['409', { statusCode: 409 }, { code: 'OVERLOADED', retryable: true }],
    ['408', { statusCode: 408 }, { code: 'TIMEOUT', retryable: true }],
    ['504', { statusCode: 504 }, { code: 'TIMEOUT', retryable: true }],
    ['401', { statusCode: 401 }, { code: 'UNAUTHORIZED', retryable: false }],
    ['403', { statusCode: 403 }, { code: 'UNAUTHORIZED', retryable: false }],
    ['400', { statusCode: 400 }, { code: 'BAD_REQUEST', retryable: false }],
    ['402', { statusCode: 402 }, { code: 'QUOTA_EXCEEDED', retryable: false }],
    ['404', { statusCode: 404, isRetryable: true }, { code: 'BAD_REQUEST', retryable: false }],
    [
      'no server',
      { isRetryable: true, cause: error({ code: 'ECONNREFUSED' }) },
      { code: 'UNREACHABLE', retryable: true },
    ],
    ['no server, unnamed', { isRetryable: true }, { code: 'UNREACHABLE', retryable: true }],
    [
      'a broken socket',
      { cause: error({ code: 'UND_ERR_SOCKET' }) },
      { code: 'CUT_STREAM', retryable: true },
    ],
    ['a reset', { code: 'ECONNRESET' }, { code: 'CUT_STREAM', retryable: true }],
    [
      'late headers',
      { cause: { cause: { code: 'UND_ERR_HEADERS_TIMEOUT' } } },
      { code: 'TIMEOUT', retryable: true },
    ],
    ['a late body', { cause: { code: 'UND_ERR_BODY_TIMEOUT' } }, { code: 'TIMEOUT', retryable: true }],
    ['a timeout signal', { name: 'TimeoutError' }, { code: 'TIMEOUT', retryable: true }],
    ['an abort that is not ours', { name: 'AbortError' }, { code: 'CUT_STREAM', retryable: true }],
    ['no key', { name: 'AI_LoadAPIKeyError' }, { code: 'UNAUTHORIZED', retryable: false }],
    [
      'no such feature',
      { name: 'AI_UnsupportedFunctionalityError' },
      { code: 'BAD_REQUEST', retryable: false },
    ],
    ['a bad chunk', { name: 'AI_JSONParseError' }, { code: 'BAD_RESPONSE', retryable: true }],
    ['a wrong chunk', { name: 'AI_TypeValidationError' }, { code: 'BAD_RESPONSE', retryable: true }],
    ['anything else', {}, { code: 'MODEL_FAILED', retryable: false }],
  ])('tells %s [A15]', (_what, fields, expected) => {
    const failure = modelFailure(error(fields), now);
    expect(ModelError.is(failure)).toBe(true);
    expect(failure).toMatchObject({ ...expected, message: 'failed' });
  });

  it.each([
    [{ type: 'overloaded_error', message: 'busy' }, 'OVERLOADED', true, 'busy'],
    [
      { type: 'error', error: { type: 'rate_limit_error', message: 'slow down' } },
      'RATE_LIMITED',
      true,
      'slow down',
    ],
    [{ message: 'bad', type: 'invalid_request_error' }, 'BAD_REQUEST', false, 'bad'],
    [{ code: 429, message: 'enough' }, 'RATE_LIMITED', true, 'enough'],
    [{ code: '503' }, 'OVERLOADED', true, 'the model failed'],
    ['just a text', 'MODEL_FAILED', false, 'just a text'],
    [undefined, 'MODEL_FAILED', false, 'the model failed'],
  ])('tells an error that was streamed: %j [A15]', (streamed, code, retryable, message) => {
    expect(modelFailure(streamed, now)).toMatchObject({ code, retryable, message });
  });

  it.each([
    [400, "This model's maximum context length is 8192 tokens"],
    [400, 'prompt is too long: 210000 tokens > 200000 maximum'],
    [413, 'input is too long for requested model'],
    [413, 'Request Entity Too Large'],
    [undefined, 'context_length_exceeded'],
  ])('tells a request that is too long, status %s: %s', (statusCode, message) => {
    expect(modelFailure(error({ statusCode }, message), now)).toMatchObject({
      code: 'CONTEXT_OVERFLOW',
      retryable: false,
    });
  });

  it('looks into the body, and takes a rate limit that speaks of tokens for no overflow', () => {
    const responseBody = '{"error":{"code":"context_length_exceeded"}}';
    expect(modelFailure(error({ statusCode: 400, responseBody }), now)).toMatchObject({
      code: 'CONTEXT_OVERFLOW',
    });
    expect(modelFailure(error({ statusCode: 429 }, 'too many tokens per minute'), now)).toMatchObject({
      code: 'RATE_LIMITED',
      retryable: true,
    });
  });

  it('tries no more where the money has run out, although the status says 429', () => {
    const data = { error: { code: 'insufficient_quota' } };
    const failure = modelFailure(
      error({ statusCode: 429, data, responseHeaders: { 'retry-after': '5' } }),
      now,
    );
    expect(failure).toMatchObject({ code: 'QUOTA_EXCEEDED', retryable: false });
    expect(failure).not.toHaveProperty('retryAfterMs');
  });

  it('tells an account that has nothing left by its words too', () => {
    const words = 'Your credit balance is too low to access the API.';
    expect(modelFailure(error({ statusCode: 400 }, words), now)).toMatchObject({ code: 'QUOTA_EXCEEDED' });
  });

  it.each([
    ['{"object":"error","message":"no such adapter"}', 'Bad Request: no such adapter'],
    ['{"error":{"message":"no such adapter"}}', 'Bad Request: no such adapter'],
    ['{"error":"no such adapter"}', 'Bad Request: no such adapter'],
    ['{"detail":"no such adapter"}', 'Bad Request: no such adapter'],
    ['no such adapter', 'Bad Request: no such adapter'],
    ['{"error":{"message":"Bad Request"}}', 'Bad Request'],
    ['{"detail":[{"loc":["body"]}]}', 'Bad Request'],
    ['<html>no such page</html>', 'Bad Request'],
    ['', 'Bad Request'],
    ['x'.repeat(1_000), `Bad Request: ${'x'.repeat(300)}`],
  ])('says what the body says: %.50s [A15]', (responseBody, message) => {
    expect(modelFailure(error({ statusCode: 400, responseBody }, 'Bad Request'), now)).toMatchObject({
      message,
    });
  });

  it('shows no key that the body holds, nor the half of one', () => {
    const long = `${'x'.repeat(290)} sk-abcdefgh12345678`;
    expect(modelFailure(error({ statusCode: 400, responseBody: long }, 'No'), now).message).toMatch(
      / \[key\]$/,
    );
    const responseBody = '{"message":"no rights for sk-abcdefgh12345678"}';
    const failure = modelFailure(error({ statusCode: 400, responseBody }, 'Bad Request'), now);
    expect(failure.message).toBe('Bad Request: no rights for [key]');
    expect(failure.cause).toBeUndefined();
  });

  it('says why an answer could not be read [A15]', () => {
    const below = error({ cause: error({ code: 'UND_ERR_SOCKET' }) }, 'terminated');
    expect(modelFailure(error({ cause: below }, 'Failed to process successful response'), now)).toMatchObject(
      {
        code: 'CUT_STREAM',
        message: 'the answer could not be read: terminated',
      },
    );
  });

  it('keeps the cause, the wait, and an error that is of the port already', () => {
    const cause = error({ statusCode: 429, responseHeaders: { 'Retry-After': '2' } });
    expect(modelFailure(cause, now)).toMatchObject({ cause, retryAfterMs: 2000 });
    const own = modelError('MINE', 'own', { retryable: false });
    expect(modelFailure(own, now)).toBe(own);
    expect(cutStream('cut')).toMatchObject({ code: 'CUT_STREAM', retryable: true });
  });

  it('drops a cause whose message is clean and whose body holds a key, and a wait where nothing is tried again', () => {
    const responseBody = 'sk-abcdefgh12345678';
    expect(modelFailure(error({ statusCode: 400, responseBody }, 'No'), now).cause).toBeUndefined();
    const message = 'no sk-abcdefgh12345678';
    expect(
      modelFailure(error({ statusCode: 400, responseBody: 'fine' }, message), now).cause,
    ).toBeUndefined();
    const refused = error({ statusCode: 400, responseHeaders: { 'retry-after': '2' } });
    expect(modelFailure(refused, now)).not.toHaveProperty('retryAfterMs');
  });

  it.each([
    [429, 'RATE_LIMITED'],
    [500, 'OVERLOADED'],
    [503, 'OVERLOADED'],
    [400, 'CONTEXT_OVERFLOW'],
    [99, 'CONTEXT_OVERFLOW'],
    [1_000, 'CONTEXT_OVERFLOW'],
    [503.5, 'CONTEXT_OVERFLOW'],
    [undefined, 'CONTEXT_OVERFLOW'],
  ])('takes words of too long a prompt with status %s for %s [A15]', (statusCode, code) => {
    expect(modelFailure(error({ statusCode }, 'prompt is too long'), now)).toMatchObject({ code });
  });

  it('stands a cause that is its own cause', () => {
    const loop = error({});
    loop.cause = loop;
    expect(modelFailure(loop, now)).toMatchObject({ code: 'MODEL_FAILED' });
  });
});

describe('retryAfterMs', () => {
  it.each([
    [{ 'retry-after': '3' }, 3000],
    [{ 'Retry-After': '0.5' }, 500],
    [{ 'retry-after': 'Thu, 01 Jan 2026 12:00:30 GMT' }, 30_000],
    [{ 'retry-after': 'Thu, 01 Jan 2026 11:00:00 GMT' }, 0],
    [{ 'retry-after-ms': '120', 'retry-after': '3' }, 120],
    [{ 'retry-after-ms': 'x', 'retry-after': '3' }, 3000],
    [{ 'retry-after': 'soon' }, undefined],
    [{ 'retry-after': '-4' }, undefined],
    [{}, undefined],
    [undefined, undefined],
  ])('reads %j as %s ms [A15]', (headers, expected) => {
    const wait = retryAfterMs(headers, now);
    expect(wait).toBe(expected);
  });
});
