/**
 * The stream of one scripted answer.
 * I1. Everything that waits ends with the request's signal.
 */
import type { Clock } from '@deepseek-ai/dsh-session';
import { deferred, untilAborted } from '@dsh-internal/async';
import { modelError, type ModelError, type ModelEvent, type ModelRequest } from '../model.ts';
import { callIdFor, piecesOf, type ScriptedAnswer, type ScriptedError } from './scripted-turn.ts';

export interface AnswerContext {
  readonly request: ModelRequest;
  readonly signal: AbortSignal;
  readonly gate: (name: string) => Promise<void>;
  readonly clock: Clock;
  readonly pieces: number;
}

/** The events of one answer. */
export async function* answerEvents(
  turn: Promise<ScriptedAnswer>,
  context: AnswerContext,
): AsyncGenerator<ModelEvent> {
  const { signal, clock } = context;
  const answer = await untilAborted(turn, signal);
  if (answer.delayMs !== undefined) await pause(clock, answer.delayMs, signal);
  await heldAt('start', answer, context);
  if (answer.error !== undefined) throw scriptedError(answer.error);
  for (const event of piecesOfAnswer(answer, context)) {
    signal.throwIfAborted();
    yield event;
  }
  await heldAt('end', answer, context);
  if (answer.cut === 'throw') throw modelError('CUT_STREAM', 'the stream was cut', { retryable: true });
  if (answer.cut === true) return;
  const { usage, providerMetadata } = answer;
  yield {
    type: 'finish',
    reason: answer.finish ?? ((answer.calls ?? []).length > 0 ? 'tool-calls' : 'stop'),
    ...(usage === undefined ? {} : { usage }),
    ...(providerMetadata === undefined ? {} : { providerMetadata }),
  };
}

function* piecesOfAnswer(answer: ScriptedAnswer, { request, pieces }: AnswerContext): Generator<ModelEvent> {
  const { reasoning = '', text = '', calls = [] } = answer;
  const thought = typeof reasoning === 'string' ? { text: reasoning } : reasoning;
  for (const delta of piecesOf(thought.text, pieces)) yield { type: 'reasoning', delta };
  if (thought.providerMetadata !== undefined) {
    // A block may be nothing but its metadata.
    if (thought.text === '') yield { type: 'reasoning', delta: '' };
    yield { type: 'block-end', providerMetadata: thought.providerMetadata };
  }
  for (const delta of piecesOf(text, pieces)) yield { type: 'text', delta };
  for (const [index, { tool, input = {}, rawInput, callId, providerMetadata }] of calls.entries()) {
    yield {
      type: 'tool-call',
      callId: callId ?? callIdFor(request, index),
      name: tool,
      input: rawInput ?? JSON.stringify(input),
      ...(providerMetadata === undefined ? {} : { providerMetadata }),
    };
  }
}

async function heldAt(place: 'start' | 'end', answer: ScriptedAnswer, context: AnswerContext): Promise<void> {
  const { hold } = answer;
  if (hold === undefined) return;
  const { until, at = 'end' } = typeof hold === 'string' ? { until: hold } : hold;
  if (at !== place) return;
  const gate = typeof until === 'string' ? context.gate(until) : until;
  await untilAborted(gate, context.signal);
}

async function pause(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  const due = deferred();
  const timer = clock.timer(ms, due.resolve);
  try {
    await untilAborted(due.promise, signal);
  } finally {
    timer.dispose();
  }
}

function scriptedError(error: ScriptedError): ModelError {
  const { status, retryAfterMs } = error;
  const [code, retryable] = statusCode(status);
  return modelError(
    error.code ?? code,
    error.message ?? `the scripted request failed with ${status ?? code}`,
    {
      retryable: error.retryable ?? retryable,
      ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    },
  );
}

function statusCode(status: number | undefined): readonly [code: string, retryable: boolean] {
  if (status === 429) return ['RATE_LIMITED', true];
  if (status === 408) return ['TIMEOUT', true];
  if (status === 401 || status === 403) return ['UNAUTHORIZED', false];
  if (status !== undefined && status >= 400 && status < 500) return ['BAD_REQUEST', false];
  return ['OVERLOADED', true];
}
