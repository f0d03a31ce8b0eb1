import type { Agent, ToolFilter } from '@deepseek-ai/dsh-agent';
import type { JsonValue, SeedPrefix, SessionId, Usage } from '@deepseek-ai/dsh-session';

/** What a one-shot request may ask of a provider. What is `false` is refused loudly (M49). */
export interface ProviderCapabilities {
  /** Results that fit a JSON Schema. */
  readonly outputSchema: boolean;
  /** `maxDepth` of a request. */
  readonly depthLimit: boolean;
  /** `toolFilter` of a request. */
  readonly toolFilter: boolean;
  /** `persona` of a request. */
  readonly persona: boolean;
}

/** A one-shot child: it runs once, returns a result, and is not continuable. */
export interface OneShotRequest {
  /** A short name for people. */
  readonly label: string;
  /** The task. */
  readonly prompt: string;
  /** The exact live agent that delegates. */
  readonly parent: Agent;
  /** A route of the program's models. Default: the parent's. */
  readonly model?: string;
  /** Narrows the host's depth limit for this child. */
  readonly maxDepth?: number;
  /** Narrows what the child inherits; it never widens (M11). */
  readonly toolFilter?: ToolFilter;
  /** Added to the default system prompt. */
  readonly persona?: string;
  /** JSON Schema of a structured result. */
  readonly outputSchema?: JsonValue;
  /** The one cancellation channel of the run. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Nobody waits for the run: the runtime disposes of it, and tells the parent by a settlement notice how it ended, unless it
   * was aborted or a drain has begun. Until then the tree is not quiescent. Default: the run is the caller's.
   */
  readonly announce?: boolean;
}

/** What came of a one-shot run (M49). */
export interface SubagentResult {
  /** How its turn ended. */
  readonly stopReason: 'completed' | 'max-tokens' | 'max-steps' | 'refused' | 'budget' | 'aborted' | 'error';
  /** The last assistant text, also of a run that failed; empty where there is none. */
  readonly output: string;
  /** Where the request had an `outputSchema` and the child answered in it. */
  readonly structured?: JsonValue;
  /** All tokens of the run, where its model said. */
  readonly usage?: Usage;
}

/** The caller's to dispose. It takes no messages and is never resumed. */
export interface SubagentRun extends AsyncDisposable {
  /** Of the Session that it runs in. */
  readonly id: SessionId;
  /** Rejects only where the run could not be carried out at all. */
  readonly result: Promise<SubagentResult>;
  /** Ends the run where it is still under way, and resolves when it has stopped. The same as `Symbol.asyncDispose`. */
  dispose(): Promise<void>;
}

/** What a provider gets: the request, and the runtime's way to run an ordinary agent to the end of its turn. */
export interface ProviderRunRequest extends OneShotRequest {
  /** Creates the child as an agent of this program, gives it the prompt, and captures the end of its turn. */
  readonly runAgent: (spec: ContinuableCreateSpec) => Promise<SubagentRun>;
}

/** Detached data only: where the child's history begins. */
export interface ContinuableCreateSpec {
  /** The leading events that the child inherits; none for a child that starts fresh. */
  readonly seed?: SeedPrefix;
}

/** What a provider hears of the child that it makes a spec for. */
export interface ContinuableRequest {
  /** Of the child. */
  readonly sessionId: SessionId;
  /** The exact live agent that delegates. */
  readonly parent: Agent;
  /** Ends when the start is given up: by its caller, by a drain, at its deadline. */
  readonly signal: AbortSignal;
}

/** Makes the creation spec of a child, and runs one-shot children. */
export interface SubagentProvider {
  /** How a request names it. Unique in a runtime. */
  readonly name: string;
  /** Of its one-shot runs. */
  readonly capabilities: ProviderCapabilities;
  /**
   * Runs a one-shot child. What it rejects with reaches the caller as the cause of `PROVIDER_FAILED`. Until it has
   * answered, a drain ends the signal of the request as the caller does: then nobody waits for it any more, and a run
   * that it gives later is disposed (M31).
   */
  start(request: ProviderRunRequest): Promise<SubagentRun>;
  /** Its presence is the capability to start continuable children (M7). */
  prepareContinuable?(request: ContinuableRequest): Promise<ContinuableCreateSpec>;
}
