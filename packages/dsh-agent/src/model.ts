import type { FinishReason, JsonObject, Message, ToolSchema, Usage } from '@deepseek-ai/dsh-session';
import { codedError } from '@dsh-internal/contract';

/** Everything that a model is asked with, built from the log alone (A13). */
export interface ModelRequest {
  /** The name under which the registry's `models` found the model. */
  readonly route: string;
  /** How much the model is to think, in its provider's words. */
  readonly effort?: string;
  /** The system prompt. */
  readonly system?: string;
  /** What the model may call, in the order of the registry. */
  readonly tools: readonly ToolSchema[];
  /** They never change. `structuredClone` takes only a copy: `[...request.messages]`. */
  readonly messages: readonly Message[];
}

/**
 * What a model answers, piece by piece. Deltas of one kind that follow each other are one block; `block-end`,
 * or a piece of another kind, closes it. The last event is `finish`: a stream that ends without it was cut (A15).
 */
export type ModelEvent =
  | { readonly type: 'text'; readonly delta: string }
  | { readonly type: 'reasoning'; readonly delta: string }
  /** Closes the open text or reasoning block and keeps what the provider wants back with it, verbatim (A16). */
  | { readonly type: 'block-end'; readonly providerMetadata?: JsonObject }
  /** One whole call. `input` is the text that the model wrote as arguments. */
  | {
      readonly type: 'tool-call';
      readonly callId: string;
      readonly name: string;
      readonly input: string;
      readonly providerMetadata?: JsonObject;
    }
  | {
      readonly type: 'finish';
      readonly reason: FinishReason;
      readonly usage?: Usage;
      readonly providerMetadata?: JsonObject;
    };

/** The port to a language model. */
export interface Model {
  /** For people: logs and errors show it. */
  readonly id: string;
  /**
   * Throws a {@link ModelError}; anything else counts as one that is not retryable, `MODEL_FAILED` where it has no code.
   * `signal` stops the request.
   */
  stream(request: ModelRequest, options: { readonly signal: AbortSignal }): AsyncIterable<ModelEvent>;
}

/** A failed model request. */
export interface ModelError extends Error {
  /** Such as `RATE_LIMITED`, `OVERLOADED`, `CUT_STREAM`, `CONTEXT_OVERFLOW`, `UNAUTHORIZED`, `BAD_REQUEST`. An open set. */
  readonly code: string;
  /** The same request may succeed later. */
  readonly retryable: boolean;
  /** How long the provider wants to be left alone, in milliseconds. */
  readonly retryAfterMs?: number;
}

const kind = codedError('ModelError', '@deepseek-ai/dsh-agent/model-error');

/** Tells a {@link ModelError}, also of another installed copy of this package. */
export const ModelError: { is(value: unknown): value is ModelError } = {
  is: (value): value is ModelError => kind.is(value),
};

/** Makes a {@link ModelError}. For adapters. */
export function modelError(
  code: string,
  message: string,
  options: { readonly retryable: boolean; readonly retryAfterMs?: number; readonly cause?: unknown },
): ModelError {
  const { cause, ...data } = options;
  return kind.create(code, message, { cause, data }) as ModelError;
}
