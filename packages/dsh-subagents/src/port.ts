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
export type PortCreateSpec = OfPort<AgentCreateSpec>;
export type PortResumeSpec = OfPort<AgentResumeSpec>;

export interface AgentsPort {
  create(spec: PortCreateSpec): Promise<PortHandle>;
  resume(spec: PortResumeSpec): Promise<PortHandle>;
  get(id: SessionId): Agent | undefined;
  beforeDispose(hook: () => Promise<void>): Registration;
  on<K extends PortEvent>(type: K, listener: (event: AgentEventMap[K]) => void): Registration;
}

/** What the runtime needs of the store. `SessionStore` of dsh-session satisfies it. */
export type SessionsPort = Pick<
  SessionStore,
  'commit' | 'discard' | 'flush' | 'get' | 'head' | 'list' | 'read' | 'learn' | 'delete'
>;
