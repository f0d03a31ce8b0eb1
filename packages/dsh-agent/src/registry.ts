import type {
  Clock,
  JsonObject,
  OnDiagnostic,
  Registration,
  SeedPrefix,
  Session,
  SessionId,
  SessionStore,
} from '@deepseek-ai/dsh-session';
import type { Agent, AgentHandle } from './agent.ts';
import type { AgentEventMap } from './events.ts';
import type { AgentHooks } from './hooks.ts';
import type { Model } from './model.ts';
import type { ToolFilter, ToolRegistry } from './tool.ts';

/** Bounds. Every one has a default, which also counts where it is undefined; `Infinity` is no bound. */
export interface AgentLimits {
  /** Steps of one turn. Default 200 (A18). */
  readonly steps?: number;
  /** Tool calls of one step that run at once. Default 8 (A14). */
  readonly toolCalls?: number;
  /** Default 1,000 (A8). */
  readonly inboxEntries?: number;
  /** Of JSON. Default 8 MiB (A8). */
  readonly inboxBytes?: number;
  /** Model requests of the registry that run at once. Default: no bound (A33). */
  readonly modelCalls?: number;
  /** What a tool, a disposer or a flush gets after an abort, in milliseconds. Default 10,000 (A21, A23). */
  readonly graceMs?: number;
  /** Attempts of one model request. Default 5 (A15). */
  readonly modelAttempts?: number;
  /**
   * The longest wait that a provider may name before it is asked again, in milliseconds. A longer one is not waited for:
   * the turn ends with that error. Default 600,000 (A15).
   */
  readonly modelDelayMs?: number;
  /** How long a model may send nothing, before and between its events, in milliseconds. Then `TIMEOUT`. Default 600,000 (A15). */
  readonly modelIdleMs?: number;
}

/** The options of `createAgentRegistry`. */
export interface AgentRegistryOptions {
  /** Where Sessions are created and opened. Not disposed with the registry. */
  readonly sessions: SessionStore;
  /** Finds a model by its route. Asked at each request; `NO_MODEL` where there is none when an agent is made. */
  readonly models: (route: string) => Model | undefined;
  /** What models can call. */
  readonly tools: ToolRegistry;
  /** For every agent; those of an agent run after them. */
  readonly hooks?: AgentHooks;
  /** For every agent. */
  readonly limits?: AgentLimits;
  /** For agents whose spec does not say. */
  readonly defaults?: { readonly model?: string; readonly effort?: string; readonly system?: string };
  /** `step`: what was appended is durable before a model is asked and before tools run (A17). Default `turn`. */
  readonly checkpoint?: 'turn' | 'step';
  /** Default: the machine's. Its timers hold the process only while somebody waits for them. */
  readonly clock?: Clock;
  /** Numbers from 0 up to 1, for jitter and ids. Default: the machine's. */
  readonly random?: () => number;
  /** Makes message ids. Default: UUIDs that sort by time. */
  readonly newId?: () => string;
  /** Hears what nobody waits for. What it throws is dropped. */
  readonly onDiagnostic?: OnDiagnostic;
}

/** What `setup` may leave behind for the agent's disposal. */
export interface SetupScope {
  /** Runs when the agent is disposed, in reverse order, bounded by `graceMs`. */
  defer(disposer: () => void | Promise<void>): void;
}

/** What create and resume share. */
export interface AgentSpec {
  /** A route of the registry's `models`. */
  readonly model?: string;
  /** How much the model is to think, in its provider's words. */
  readonly effort?: string;
  /** The system prompt, or how to find it in the loaded Session. */
  readonly system?: string | ((session: Session) => string | undefined);
  /** Added to the system prompt, whatever it is, as a paragraph of its own. */
  readonly persona?: string;
  /** Narrows what the agent inherits of the tools. Names that nobody registered are reported (A29). */
  readonly toolFilter?: ToolFilter;
  /** For this agent, after those of the registry. */
  readonly hooks?: AgentHooks;
  /** Runs before anybody can find the agent; it may append to the Session and register scoped tools (A25). */
  readonly setup?: (agent: Agent, scope: SetupScope) => void | Promise<void>;
  /** Called synchronously in the span that publishes; what it throws undoes the creation (A25). */
  readonly admit?: (handle: AgentHandle) => void;
  /** `held`: nothing runs before `handle.start()`. Default `auto`. */
  readonly start?: 'auto' | 'held';
  /** Ends creating or resuming; without effect once the handle is returned. */
  readonly signal?: AbortSignal | undefined;
}

/** A new agent with a new Session. The members that are not of the agent go into the Session's header. */
export interface AgentCreateSpec extends AgentSpec {
  /** Default: a new one. */
  readonly id?: SessionId;
  /** An absolute path. */
  readonly cwd?: string;
  /** The durable direct parent (delegation). */
  readonly parentSession?: SessionId;
  /** The top of that chain. */
  readonly rootSession?: SessionId;
  /** Such as `subagent`. */
  readonly origin?: string;
  /** How far below the top. Absent: 0. */
  readonly delegationDepth?: number;
  /** The deployer's own, kept verbatim. */
  readonly meta?: JsonObject;
  /** Starts the log with these events of another Session (S22). */
  readonly seed?: SeedPrefix;
  /** The Session is written only after `sessions.commit` (S4). */
  readonly provisional?: boolean;
  /** `durable` logs acceptance too, and stays so over every resume (A31). Default `process`. */
  readonly inbox?: 'process' | 'durable';
}

/** An agent from a stored Session. */
export interface AgentResumeSpec extends AgentSpec {
  /** Of the stored Session. */
  readonly id: SessionId;
}

/** The live agents of a program. */
export interface AgentRegistry extends AsyncDisposable {
  /** Compared by packages that were built against another copy of this one. */
  readonly protocol: { readonly name: 'dsh-agent/registry'; readonly version: number };
  /**
   * Rejects `AGENT_EXISTS`, `REGISTRY_CLOSED`, `NO_MODEL`, `INVALID_OPTION`, and what the store rejects; nothing is left
   * then (A25).
   */
  create(spec?: AgentCreateSpec): Promise<AgentHandle>;
  /** Like {@link create}, from a stored Session. A turn that a crash left open is closed and not repeated (A28). */
  resume(spec: AgentResumeSpec): Promise<AgentHandle>;
  /** The exact live object: authority is `registry.get(id) === agent` (A27). */
  get(id: SessionId): Agent | undefined;
  /** All of them, the oldest first. */
  list(): readonly Agent[];
  /** Awaited before the registry disposes its agents, in reverse order of registration (A32). */
  beforeDispose(hook: () => Promise<void>): Registration;
  /** Hears the events of every agent from now on. */
  on<K extends keyof AgentEventMap>(type: K, listener: (event: AgentEventMap[K]) => void): Registration;
}
