import type { MessageId } from './ids.ts';
import type { JsonObject, JsonValue } from './json.ts';

/** The kinds of content. Extend it by declaration merging; each member carries its key as `type`. */
export interface ContentBlockMap {
  /** What is read as it stands. */
  readonly text: TextBlock;
  /** A picture, bytes and all. */
  readonly image: ImageBlock;
  /** What a model thought before it answered. */
  readonly reasoning: ReasoningBlock;
  /** A model's wish to have a tool run. */
  readonly 'tool-call': ToolCallBlock;
  /** What came of that, inside other content. */
  readonly 'tool-result': ToolResultBlock;
}
/** One piece of a message. */
export type ContentBlock = ContentBlockMap[keyof ContentBlockMap];

/** Text in well-formed or ill-formed UTF-16: lone surrogates are kept (S5). */
export interface TextBlock {
  /** Tells the kinds apart. */
  readonly type: 'text';
  /** Any text, also an empty one. */
  readonly text: string;
  /** What the provider wants back with this block, verbatim. */
  readonly providerMetadata?: JsonObject;
}
/** A picture. It is part of the log, so large ones make large logs. */
export interface ImageBlock {
  /** Tells the kinds apart. */
  readonly type: 'image';
  /** Such as `image/png`. */
  readonly mediaType: string;
  /** The bytes in base64. */
  readonly data: string;
}
/** Reasoning, kept and replayed verbatim where the provider wants it back (A16). */
export interface ReasoningBlock {
  /** Tells the kinds apart. */
  readonly type: 'reasoning';
  /** As far as the provider shows it; empty where it hides it. */
  readonly text: string;
  /** Signatures and the like that the provider wants back, verbatim. */
  readonly providerMetadata?: JsonObject;
}
/** One call, as the model wrote it. */
export interface ToolCallBlock {
  /** Tells the kinds apart. */
  readonly type: 'tool-call';
  /** Ties the result to it; unique in its turn. */
  readonly callId: string;
  /** Of the tool, as the model wrote it. */
  readonly name: string;
  /** The parsed arguments; where they were no JSON, the text as the model wrote it. */
  readonly input: JsonValue;
  /** The arguments were no JSON. */
  readonly malformed?: true;
  /** What the provider wants back with this block, verbatim. */
  readonly providerMetadata?: JsonObject;
}
/** A result inside other content. The log's own record of a result is {@link ToolResultMessage}. */
export interface ToolResultBlock {
  /** Tells the kinds apart. */
  readonly type: 'tool-result';
  /** Of the call that it answers. */
  readonly callId: string;
  /** What the tool gave. */
  readonly content: readonly ContentBlock[];
  /** The call has failed. */
  readonly isError?: true;
}

/** Who a user message comes from. Extend it by declaration merging; each member carries its key as `kind`. */
export interface MessageSourceMap {
  /** A person. */
  readonly user: { readonly kind: 'user' };
}
/** Who a user message comes from. */
export type MessageSource = MessageSourceMap[keyof MessageSourceMap];

/** What a model is shown as said to it: by a person, by another agent, or by the program. `source` tells which. */
export interface UserMessage {
  /** At most once among the own events of a Session (S10). */
  readonly id: MessageId;
  /** Tells the roles apart. */
  readonly role: 'user';
  /** At least one block. The log holds what the model is shown. */
  readonly content: readonly ContentBlock[];
  /** Set by the program and never by a text. */
  readonly source: MessageSource;
}

/** One whole answer of a model. */
export interface AssistantMessage {
  /** Made when the answer is appended. */
  readonly id: MessageId;
  /** Tells the roles apart. */
  readonly role: 'assistant';
  /** Text, reasoning and tool calls in the order in which the model gave them. */
  readonly content: readonly ContentBlock[];
  /** Why the model stopped. */
  readonly finish: FinishReason;
  /** Tokens of the request, where the provider says. */
  readonly usage?: Usage;
  /** The route of the model that answered. */
  readonly model?: string;
  /** The answer was cut off; it holds what had arrived, without unfinished tool calls. */
  readonly interrupted?: true;
  /** What the provider wants back with this message, verbatim. */
  readonly providerMetadata?: JsonObject;
}

/** How a call ended: `ok` and `error` are the tool's; the other two are said about a call without an answer. */
export type ToolOutcome = 'ok' | 'error' | 'not-started' | 'unknown';

/** The answer to one call of the open turn (S10). */
export interface ToolResultMessage {
  /** Tells the roles apart. */
  readonly role: 'tool';
  /** Of the call that it answers. */
  readonly callId: string;
  /** Of the tool. */
  readonly name: string;
  /** What the model is shown. */
  readonly content: readonly ContentBlock[];
  /** Whether that is the tool's own answer. */
  readonly outcome: ToolOutcome;
  /** A machine-readable form of the result, for programs and not for the model. */
  readonly structured?: JsonValue;
}

/** What `history()` consists of. */
export type Message = UserMessage | AssistantMessage | ToolResultMessage;

/** Why a model stopped: at its own end, to have tools run, at its token limit, because it refused, or as the provider alone knows. */
export type FinishReason = 'stop' | 'tool-calls' | 'max-tokens' | 'refused' | 'other';

/** Tokens of one model request. */
export interface Usage {
  /** All input tokens, the cached ones included. */
  readonly inputTokens: number;
  /** All output tokens, those for reasoning included. */
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
