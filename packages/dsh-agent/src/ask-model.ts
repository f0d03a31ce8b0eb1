/**
 * One model request with its repetitions (A15).
 * I1. Every attempt begins with an empty answer; what a failed one streamed counts only if no other follows.
 * I2. A place of the limiter is held while a stream is read, and at no other time.
 * I3. A stream that stays silent for `modelIdleMs` is left, and counts as one that may be repeated.
 */
import type { AssistantMessage } from '@deepseek-ai/dsh-session';
import { linkAbort } from '@dsh-internal/async';
import { createAnswer, type AnswerDraft } from './answer.ts';
import type { AgentCore, CurrentTurn } from './core.ts';
import { agentError } from './errors.ts';
import type { PlaceResult } from './limiter.ts';
import { ModelError, modelError, type Model, type ModelRequest } from './model.ts';
import { readStream } from './model-stream.ts';
import { namedDelay, withRetry } from './retry.ts';
import { asError, messageOf, textMember } from './thrown.ts';

export type Answer =
  | { readonly kind: 'whole'; readonly message: AssistantMessage }
  | { readonly kind: 'cut'; readonly message: AssistantMessage | undefined; readonly error: unknown };

export async function askModel(
  core: AgentCore,
  turn: CurrentTurn,
  step: number,
  request: ModelRequest,
): Promise<Answer> {
  const { clock, random, limits } = core.services;
  let draft = createAnswer();
  let error: unknown;
  try {
    await withRetry(
      () => {
        draft = createAnswer();
        return attempt(core, turn, step, request, draft);
      },
      {
        attempts: limits.modelAttempts,
        longestNamedMs: limits.modelDelayMs,
        signal: turn.signal,
        clock,
        random,
        onRetry: (event) => {
          core.emit('agent/retry', event);
        },
      },
    );
  } catch (caught) {
    error = caught;
  }
  const id = core.services.newMessageId();
  // An abort in the instant of the last token takes nothing away.
  const message = draft.message(id, request.route);
  if (message !== undefined) return { kind: 'whole', message };
  return { kind: 'cut', message: draft.partial(id, request.route), error };
}

async function attempt(
  core: AgentCore,
  turn: CurrentTurn,
  step: number,
  request: ModelRequest,
  draft: AnswerDraft,
): Promise<void> {
  const { limiter, limits } = core.services;
  const model = findModel(core, request.route);
  const place = await limiter.acquire(request.route, turn.signal);
  const idle = watchIdle(core, turn, model);
  let result: PlaceResult = { kind: 'failed' };
  try {
    turn.signal.throwIfAborted();
    const { signal } = idle;
    await readStream(model.stream(request, { signal }), signal, {
      onEvent(event) {
        idle.heard();
        draft.add(event);
        core.emit('agent/stream', { turn: turn.ordinal, step, event });
      },
      onLate() {
        core.report(
          'late-model-event',
          'warning',
          `model ${model.id} answered after it was given up; dropped`,
        );
      },
    });
    if (!draft.finished)
      throw modelError('CUT_STREAM', `the answer of ${model.id} was cut off`, { retryable: true });
    result = { kind: 'ok' };
  } catch (caught) {
    const error = modelFailure(caught, model);
    result = routeResult(error, limits.modelDelayMs);
    throw error;
  } finally {
    idle[Symbol.dispose]();
    place.release(result);
  }
}

interface IdleWatch extends Disposable {
  /** Aborts with the turn, or when nothing was heard for too long. */
  readonly signal: AbortSignal;
  heard(): void;
}

/** I3. One timer for a stream, not one for each of its events. */
function watchIdle({ services }: AgentCore, turn: CurrentTurn, model: Model): IdleWatch {
  const { clock, limits } = services;
  const ms = limits.modelIdleMs;
  const link = linkAbort(turn.signal);
  let last = clock.now();
  let timer: Disposable | undefined;
  const wait = (delay: number): void => {
    timer = clock.timer(delay, () => {
      // A clock that was set back grants no more than a wait from now on.
      last = Math.min(last, clock.now());
      const left = last + ms - clock.now();
      if (left > 0) wait(left);
      else link.abort(modelError('TIMEOUT', `${model.id} sent nothing for ${ms} ms`, { retryable: true }));
    });
  };
  if (Number.isFinite(ms)) wait(ms);
  return {
    signal: link.signal,
    heard() {
      last = clock.now();
    },
    [Symbol.dispose]() {
      timer?.[Symbol.dispose]();
      link[Symbol.dispose]();
    },
  };
}

function findModel(core: AgentCore, route: string): Model {
  const model = core.services.models(route);
  if (model === undefined)
    throw agentError('NO_MODEL', `nothing asked: there is no model ${JSON.stringify(route)}`);
  return model;
}

/** A model may throw anything; what does not say what it is becomes a failure that does. */
function modelFailure(caught: unknown, { id }: Model): Error {
  if (asError(caught) === caught && textMember(caught, 'code') !== undefined) return asError(caught);
  const message = `nothing answered: ${id} failed: ${messageOf(caught)}`;
  return modelError('MODEL_FAILED', message, { retryable: false, cause: caught });
}

/** Without a hint of the provider the next one on a crowded route waits that long, in milliseconds: no longer than the one that failed. */
const crowdedDelay = 500;

/** Only what is said about the route as a whole makes others on it wait. */
function routeResult(error: unknown, longestNamedMs: number): PlaceResult {
  if (!ModelError.is(error) || !error.retryable) return { kind: 'failed' };
  const { code } = error;
  const named = namedDelay(error);
  if (named !== undefined) return { kind: 'failed', routeDelayMs: Math.min(named, longestNamedMs) };
  const crowded = code === 'RATE_LIMITED' || code === 'OVERLOADED';
  return crowded ? { kind: 'failed', routeDelayMs: crowdedDelay } : { kind: 'failed' };
}
