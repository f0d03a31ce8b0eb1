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

export interface AgentsPort {
  create(spec: AgentCreateSpec): Promise<AgentHandle>;
  resume(spec: AgentResumeSpec): Promise<AgentHandle>;
  get(id: SessionId): Agent | undefined;
  beforeDispose(hook: () => Promise<void>): Registration;
  on<K extends PortEvent>(type: K, listener: (event: AgentEventMap[K]) => void): Registration;
}

/** What the runtime needs of the store. `SessionStore` of dsh-session satisfies it. */
export type SessionsPort = Pick<
  SessionStore,
  'commit' | 'discard' | 'flush' | 'get' | 'head' | 'list' | 'read' | 'learn' | 'delete'
>;
