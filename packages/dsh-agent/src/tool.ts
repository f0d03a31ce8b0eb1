import type { ContentBlock, JsonValue, Registration, SessionId, ToolSchema } from '@deepseek-ai/dsh-session';
import type { Agent } from './agent.ts';

/** What is wrong with some input, each with its place. */
export interface Issues {
  /** At least one. */
  readonly issues: readonly { readonly message: string; readonly path?: readonly (string | number)[] }[];
}

/** The arguments of a tool: the schema that a model sees, and the check. */
export interface ToolInput<I> {
  /** JSON Schema, as the model sees it. */
  readonly json: JsonValue;
  /** Gives the parsed arguments or what is wrong with them. It does not throw. */
  parse(value: unknown): { readonly value: I } | Issues;
}

/** A text, or content with a machine-readable form beside it. `isError` tells the model that the call failed. */
export type ToolOutput =
  | string
  | {
      readonly content: string | readonly ContentBlock[];
      readonly structured?: JsonValue;
      readonly isError?: boolean;
    };

/** What a running tool knows of its call. */
export interface ToolContext {
  /** Whose model asked for the call. */
  readonly agent: Agent;
  /** Of the call, unique in its turn. */
  readonly callId: string;
  /** Aborts when the turn is cancelled. A tool that goes on after the grace time is left behind (A21). */
  readonly signal: AbortSignal;
  /** Keeps `data` in the log at once, so that it is known of a call that never returned. Throws `NOT_JSON`. */
  progress(data: JsonValue): void;
}

/** A tool: what a model sees of it, and what it does. */
export interface ToolDefinition<I = unknown> {
  /** How a model calls it. Unique in its layer. */
  readonly name: string;
  /** What it does, for the model. */
  readonly description: string;
  /** Its arguments. `fromStandardSchema` and `fromJsonSchema` make one. */
  readonly inputSchema: ToolInput<I>;
  /** What it throws becomes an error result with the error's message. */
  execute(input: I, context: ToolContext): Promise<ToolOutput> | ToolOutput;
  /** It must not run beside other calls of its step. */
  readonly exclusive?: boolean;
  /** It runs only after `AgentHooks.requestApproval` said yes. */
  readonly approval?: boolean;
  /** A `Symbol.for` value that tells a standard tool from one of the same name (A30). */
  readonly identity?: symbol;
}

/** Names of inherited tools that may be seen and called. A name in both is denied. */
export interface ToolFilter {
  /** Only these. Absent: all. */
  readonly allow?: readonly string[];
  /** None of these. */
  readonly deny?: readonly string[];
}

/** Whose layer of tools is meant: the exact object counts, an agent as a rule. */
export interface ToolScope {
  /** For messages alone: the object counts. */
  readonly id: SessionId;
}

/** One global layer of tools and one layer per scope (A30). */
export interface ToolRegistry {
  /** Compared by packages that were built against another copy of this one. */
  readonly protocol: { readonly name: 'dsh-agent/tools'; readonly version: number };
  /** Without `scope` for everyone. Throws `DUPLICATE_TOOL` within one layer and `INVALID_TOOL`. */
  register<I>(tool: ToolDefinition<I>, scope?: ToolScope): Registration;
  /** The visible tools as a model sees them: global ones in the order of registration, then adopted, then own ones; a shadowing tool stands in the place of the one that it shadows. The same bytes until a registration changes. */
  schemas(scope?: ToolScope): readonly ToolSchema[];
  /** The tool that a call by `name` would reach; nothing where it is hidden or unknown. */
  resolve(name: string, scope?: ToolScope): ToolDefinition | undefined;
  /** Hides inherited tools from `scope`, never its own. A second filter narrows further. Names that nobody registered are returned. */
  filter(scope: ToolScope, filter: ToolFilter): readonly string[];
  /** What hides tools from `scope` at present. */
  filterOf(scope: ToolScope): ToolFilter | undefined;
  /**
   * Lets `scope` inherit the own and adopted tools that `from` has now, in their order, and returns their names.
   * With `only`, no others are taken. A filter of `scope` counts for them.
   */
  adopt(scope: ToolScope, from: ToolScope, only?: readonly string[]): readonly string[];
}
