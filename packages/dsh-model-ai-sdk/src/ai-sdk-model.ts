/**
 * Any language model of the AI SDK as the model of an agent.
 * Owns: one request and the reading of its stream.  Does not own: what goes in and what it means (the pure files).
 * I1. Nothing is tried twice here: the agent retries.
 * I2. It stops waiting as soon as the signal aborts, whatever the provider does, and throws the signal's reason.
 * I3. A stream that is left, for whatever reason, is cancelled, so that its connection is given back.
 */
import {
  agentError,
  type Model,
  type ModelError,
  type ModelEvent,
  type ModelRequest,
} from '@deepseek-ai/dsh-agent';
import { untilAborted } from '@dsh-internal/async';
import { callOptions, knownEffort, type ModelSettings, type ProviderOptions } from './call-options.ts';
import { callOptionsV3 } from './call-options-v3.ts';
import { modelFailure } from './failures.ts';
import type { LanguageModel, StreamPart } from './spec.ts';
import { partReader } from './stream-parts.ts';

export interface AiSdkModelOptions {
  /** What logs and errors call it. Default: provider and model, as in `deepseek.chat:deepseek-chat`. */
  readonly id?: string;
  /** Sampling, limits, headers: the same for every request. */
  readonly settings?: ModelSettings;
  /** Handed to the provider with every request; as a function, made for each, say by its `effort`. */
  readonly providerOptions?: ProviderOptions | ((request: ModelRequest) => ProviderOptions | undefined);
  /**
   * Put on the system prompt and on the newest message, for providers that cache a prefix only where they are told:
   * `{ anthropic: { cacheControl: { type: 'ephemeral' } } }`.
   */
  readonly cacheHint?: ProviderOptions;
  /** Hears what the provider could not do as asked. */
  readonly onWarning?: (message: string) => void;
  /** For a `retry-after` that is a date. Default: the machine's clock. */
  readonly clock?: { now(): number };
  /**
   * Texts that no failure may show, the provider's key above all: some servers repeat the key that they refuse, and one
   * of an unusual form is known by nothing but this.
   */
  readonly secrets?: readonly string[];
}

/**
 * Adapts `model`, an object of any AI SDK provider package. Its streams throw `ModelError`s only, or the reason of
 * their signal. Throws an `AgentError` with code `INCOMPATIBLE` for a model of another specification version.
 */
export function aiSdkModel(model: LanguageModel, options: AiSdkModelOptions = {}): Model {
  const version: string = model.specificationVersion;
  if (version !== 'v4' && version !== 'v3') {
    throw agentError(
      'INCOMPATIBLE',
      `${model.modelId} keeps specification ${version} of the AI SDK, not v4 or v3`,
    );
  }
  return {
    id: options.id ?? `${model.provider}:${model.modelId}`,
    stream: (request, { signal }) => events(model, request, signal, options),
  };
}

async function* events(
  model: LanguageModel,
  request: ModelRequest,
  signal: AbortSignal,
  options: AiSdkModelOptions,
): AsyncGenerator<ModelEvent> {
  const { onWarning: warn = () => undefined, clock = Date, secrets } = options;
  const failure = (error: unknown): ModelError => modelFailure(error, clock.now(), secrets);
  let stream: PartStream | undefined;
  try {
    signal.throwIfAborted();
    stream = await opened(model, request, signal, options);
    const parts = partReader(warn, failure);
    for (;;) {
      const result = await stream.read();
      signal.throwIfAborted();
      if (result.done) return;
      yield* parts.next(result.value);
    }
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw failure(error);
  } finally {
    stream?.leave();
  }
}

async function opened(
  model: LanguageModel,
  request: ModelRequest,
  signal: AbortSignal,
  options: AiSdkModelOptions,
): Promise<PartStream> {
  const { providerOptions: given, settings = {}, cacheHint, onWarning } = options;
  const providerOptions = typeof given === 'function' ? given(request) : given;
  if (
    request.effort !== undefined &&
    (model.specificationVersion === 'v3' || knownEffort(request.effort) === undefined)
  ) {
    onWarning?.(`the effort "${request.effort}" is only seen by the provider options`);
  }
  const plainIds = /anthropic|bedrock/i.test(model.provider);
  const config = { settings, providerOptions, cacheHint, plainIds };
  const call = { ...callOptions(request, config), abortSignal: signal };
  const answer =
    model.specificationVersion === 'v4' ? model.doStream(call) : model.doStream(callOptionsV3(call));
  const opening = Promise.resolve<{ readonly stream: ReadableStream<StreamPart> }>(answer).then(
    ({ stream }) => partStream(stream, signal),
  );
  // A stream that comes after the abort is left at once.
  return untilAborted(opening, signal);
}

interface PartStream {
  readonly read: () => Promise<
    { readonly done: true } | { readonly done: false; readonly value: StreamPart }
  >;
  readonly leave: () => void;
}

function partStream(stream: ReadableStream<StreamPart>, signal: AbortSignal): PartStream {
  const reader = stream.getReader();
  const leave = (): void => {
    signal.removeEventListener('abort', leave);
    // It ends a read under way as well (I2). What a provider makes of it concerns nobody any more.
    reader.cancel().catch(() => undefined);
  };
  if (signal.aborted) leave();
  else signal.addEventListener('abort', leave, { once: true });
  return {
    async read() {
      const { done, value } = await reader.read();
      return done ? { done } : { done, value };
    },
    leave,
  };
}
