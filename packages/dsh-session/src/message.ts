import type { MessageId } from './ids.ts';
import type { JsonObject, JsonValue } from './json.ts';

/** The kinds of content. Extend it by declaration merging; each member carries its key as `type`. */
export interface ContentBlockMap {
  readonly text: TextBlock;
  readonly image: ImageBlock;
  readonly reasoning: ReasoningBlock;
  readonly 'tool-call': ToolCallBlock;
  readonly 'tool-result': ToolResultBlock;
}
export type ContentBlock = ContentBlockMap[keyof ContentBlockMap];

export interface TextBlock {
  readonly type: 'text';
  readonly text: string;
  /** What the provider wants back with this block, verbatim. */
  readonly providerMetadata?: JsonObject;
}
export interface ImageBlock {
  readonly type: 'image';
  /** Such as `image/png`. */
  readonly mediaType: string;
  /** The bytes in base64. */
  readonly data: string;
}
export interface ReasoningBlock {
  readonly type: 'reasoning';
  readonly text: string;
  /** Signatures and the like that the provider wants back, verbatim. */
  readonly providerMetadata?: JsonObject;
}
export interface ToolCallBlock {
  readonly type: 'tool-call';
  readonly callId: string;
  readonly name: string;
  /** The parsed arguments; where they were no JSON, the text as the model wrote it. */
  readonly input: JsonValue;
  /** The arguments were no JSON. */
  readonly malformed?: true;
  readonly providerMetadata?: JsonObject;
}
/** A result inside other content. The log's own record of a result is {@link ToolResultMessage}. */
export interface ToolResultBlock {
  readonly type: 'tool-result';
  readonly callId: string;
  readonly content: readonly ContentBlock[];
  readonly isError?: true;
}

/** Who a user message comes from. Extend it by declaration merging; each member carries its key as `kind`. */
export interface MessageSourceMap {
  readonly user: { readonly kind: 'user' };
}
export type MessageSource = MessageSourceMap[keyof MessageSourceMap];

export interface UserMessage {
  readonly id: MessageId;
  readonly role: 'user';
  readonly content: readonly ContentBlock[];
  readonly source: MessageSource;
}

export interface AssistantMessage {
  readonly id: MessageId;
  readonly role: 'assistant';
  /** Text, reasoning and tool calls in the order in which the model gave them. */
  readonly content: readonly ContentBlock[];
  readonly finish: FinishReason;
  readonly usage?: Usage;
  /** The route of the model that answered. */
  readonly model?: string;
  /** The answer was cut off; it holds what had arrived, without unfinished tool calls. */
  readonly interrupted?: true;
  readonly providerMetadata?: JsonObject;
}

/** How a call ended: `ok` and `error` are the tool's; the other two are said about a call without an answer. */
export type ToolOutcome = 'ok' | 'error' | 'not-started' | 'unknown';

export interface ToolResultMessage {
  readonly role: 'tool';
  readonly callId: string;
  readonly name: string;
  readonly content: readonly ContentBlock[];
  readonly outcome: ToolOutcome;
  /** A machine-readable form of the result, for programs and not for the model. */
  readonly structured?: JsonValue;
}

export type Message = UserMessage | AssistantMessage | ToolResultMessage;

export type FinishReason = 'stop' | 'tool-calls' | 'max-tokens' | 'refused' | 'other';

/** Tokens of one model request. */
export interface Usage {
  /** All input tokens, the cached ones included. */
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Input tokens that were read from the provider's cache. */
  readonly cachedInputTokens?: number;
  /** Output tokens that were spent on reasoning. */
  readonly reasoningTokens?: number;
}

/** Why a turn ended. `interrupted` is written on reopening only, for a turn that a crash left open. */
export type TurnEndReason =
  | { readonly kind: 'completed' }
  | { readonly kind: 'aborted'; readonly cause: string | { readonly code: string } }
  | { readonly kind: 'error'; readonly code: string; readonly message: string }
  | { readonly kind: 'refused' }
  | { readonly kind: 'max-tokens' }
  | { readonly kind: 'max-steps' }
  | { readonly kind: 'budget' }
  | { readonly kind: 'interrupted' };
