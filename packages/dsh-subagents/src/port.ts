/**
 * What the runtime needs of the program's agents. `AgentRegistry` of dsh-agent satisfies it; an agent loop of
 * one's own can too.
 */
import type {
  Agent,
  AgentCreateSpec,
  AgentEventMap,
  AgentHandle,
  AgentResumeSpec,
} from '@deepseek-ai/dsh-agent';
import type { Registration, SessionId, SessionStore } from '@deepseek-ai/dsh-session';

/** The events of agents that the runtime listens to. */
export type PortEvent =
  | 'agent/inbox/enqueue'
  | 'agent/inbox/dequeue'
  | 'agent/inbox/discard'
  | 'agent/status'
  | 'agent/turn/end'
  | 'agent/disposed';

/** What the runtime holds of an agent that it has made. */
export interface PortHandle extends Omit<AgentHandle, 'abandon'> {
  /** Without it an agent that outlives the deadline is left as it is, and may still write to its log (M31). */
  abandon?(): void;
}

type OfPort<Spec> = Omit<Spec, 'admit'> & {
  /** To be called synchronously in the span that publishes the agent; what it throws undoes the creation. */
  readonly admit?: (handle: PortHandle) => void;
};
/** How the runtime asks for a new agent. */
export type PortCreateSpec = OfPort<AgentCreateSpec>;
/** How the runtime asks for an agent from its stored Session. */
export type PortResumeSpec = OfPort<AgentResumeSpec>;

/** What the runtime needs of the program's agents. `AgentRegistry` of dsh-agent satisfies it; an agent loop of one's own can too. */
export interface AgentsPort {
  /** Makes an agent with a new Session. `admit` of the spec runs in the span in which it becomes visible. */
  create(spec: PortCreateSpec): Promise<PortHandle>;
  /** Makes an agent from a stored Session; `admit` likewise. */
  resume(spec: PortResumeSpec): Promise<PortHandle>;
  /** The exact live object of that id. */
  get(id: SessionId): Agent | undefined;
  /** Runs and awaits `hook` before the agents are disposed, so that a drain always comes first (A32). */
  beforeDispose(hook: () => Promise<void>): Registration;
  /** The events of every agent. */
  on<K extends PortEvent>(type: K, listener: (event: AgentEventMap[K]) => void): Registration;
}

/** What the runtime needs of the store. `SessionStore` of dsh-session satisfies it. */
export type SessionsPort = Pick<
  SessionStore,
  'commit' | 'discard' | 'flush' | 'get' | 'head' | 'list' | 'read' | 'learn' | 'delete'
>;
