import type { Agent, ToolFilter } from '@deepseek-ai/dsh-agent';
import type { JsonValue, SeedPrefix, SessionId, Usage } from '@deepseek-ai/dsh-session';

/** What a one-shot request may ask of a provider. What is `false` is refused loudly (M49). */
export interface ProviderCapabilities {
  readonly outputSchema: boolean;
  readonly depthLimit: boolean;
  readonly toolFilter: boolean;
  readonly persona: boolean;
}

/** A one-shot child: it runs once, returns a result, and is not continuable. */
export interface OneShotRequest {
  readonly label: string;
  readonly prompt: string;
  readonly parent: Agent;
  readonly model?: string;
  readonly maxDepth?: number;
  readonly toolFilter?: ToolFilter;
  readonly persona?: string;
  /** JSON Schema of a structured result. */
  readonly outputSchema?: JsonValue;
  /** The one cancellation channel of the run. */
  readonly signal?: AbortSignal | undefined;
}

export interface SubagentResult {
  readonly stopReason: 'completed' | 'max-tokens' | 'max-steps' | 'refused' | 'budget' | 'aborted' | 'error';
  /** The last assistant text, also of a run that failed; empty where there is none. */
  readonly output: string;
  readonly structured?: JsonValue;
  readonly usage?: Usage;
}

/** The caller's to dispose. It takes no messages and is never resumed. */
export interface SubagentRun extends AsyncDisposable {
  readonly id: SessionId;
  /** Rejects only where the run could not be carried out at all. */
  readonly result: Promise<SubagentResult>;
  dispose(): Promise<void>;
}

/** What a provider gets: the request, and the runtime's way to run an ordinary agent to the end of its turn. */
export interface ProviderRunRequest extends OneShotRequest {
  /** Creates the child as an agent of this program, gives it the prompt, and captures the end of its turn. */
  readonly runAgent: (spec: ContinuableCreateSpec) => Promise<SubagentRun>;
}

/** Detached data only: where the child's history begins. */
export interface ContinuableCreateSpec {
  readonly seed?: SeedPrefix;
}

export interface ContinuableRequest {
  readonly sessionId: SessionId;
  readonly parent: Agent;
  readonly signal: AbortSignal;
}

/** Makes the creation spec of a child, and runs one-shot children. */
export interface SubagentProvider {
  readonly name: string;
  readonly capabilities: ProviderCapabilities;
  start(request: ProviderRunRequest): Promise<SubagentRun>;
  /** Its presence is the capability to start continuable children (M7). */
  prepareContinuable?(request: ContinuableRequest): Promise<ContinuableCreateSpec>;
}
