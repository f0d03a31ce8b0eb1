/** [pure] A request of the model port as the options of a call of the SDK. */
import type { LanguageModelV4CallOptions, LanguageModelV4FunctionTool } from '@ai-sdk/provider';
import type { ModelRequest } from '@deepseek-ai/dsh-agent';
import type { JsonObject } from './json.ts';
import { promptOf } from './prompt.ts';
import { wellFormed, wellFormedJson } from './well-formed.ts';

/** By provider, as the provider's documentation has it: `{ anthropic: { thinking: { type: 'enabled' } } }`. */
export type ProviderOptions = Readonly<Record<string, JsonObject>>;

/** What stays the same from request to request. The provider's defaults stand for what is left out. */
export interface ModelSettings {
  /** The longest answer, reasoning included where the provider counts it. A longer one ends with `max-tokens`. */
  readonly maxOutputTokens?: number;
  /** How much chance decides. Providers differ in the range. */
  readonly temperature?: number;
  /** Only the likeliest tokens that together have this probability. */
  readonly topP?: number;
  /** Only so many of the likeliest tokens. */
  readonly topK?: number;
  /** Against tokens that have come before. */
  readonly presencePenalty?: number;
  /** Against tokens that have come often. */
  readonly frequencyPenalty?: number;
  /** For providers that repeat their choices by it. */
  readonly seed?: number;
  /** Texts before which an answer ends. */
  readonly stopSequences?: readonly string[];
  /** Sent with every request. Keys belong into the provider and not here. */
  readonly headers?: Readonly<Record<string, string>>;
}

export interface CallConfig {
  readonly settings: ModelSettings;
  readonly providerOptions: ProviderOptions | undefined;
  readonly cacheHint: ProviderOptions | undefined;
  /** The provider takes ids of calls in the common form alone. */
  readonly plainIds: boolean;
}

type Effort = NonNullable<LanguageModelV4CallOptions['reasoning']>;
const efforts: readonly Effort[] = [
  'provider-default',
  'none',
  'minimal',
  'low',
  'medium',
  'high',
  'xhigh',
  'max',
];

/** The efforts that the SDK knows by name. Others are for the provider options. */
export function knownEffort(effort: string | undefined): Effort | undefined {
  return efforts.find((known) => known === effort);
}

export function callOptions(request: ModelRequest, config: CallConfig): LanguageModelV4CallOptions {
  const { stopSequences, headers, ...settings } = config.settings;
  const effort = knownEffort(request.effort);
  return {
    ...settings,
    prompt: promptOf(request, config.cacheHint, config.plainIds),
    ...(stopSequences === undefined ? {} : { stopSequences: [...stopSequences] }),
    ...(headers === undefined ? {} : { headers: { ...headers } }),
    ...(effort === undefined ? {} : { reasoning: effort }),
    ...(request.tools.length === 0
      ? {}
      : { tools: request.tools.map(functionTool), toolChoice: { type: 'auto' } }),
    ...(config.providerOptions === undefined
      ? {}
      : { providerOptions: structuredClone(config.providerOptions) }),
  };
}

function functionTool({
  name,
  description,
  inputSchema,
}: ModelRequest['tools'][number]): LanguageModelV4FunctionTool {
  return {
    type: 'function',
    name,
    description: wellFormed(description),
    // A copy: the registered definition is frozen and shared.
    inputSchema: wellFormedJson(inputSchema) as LanguageModelV4FunctionTool['inputSchema'],
  };
}
