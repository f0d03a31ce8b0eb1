/**
 * Who is live, who is on the way, and whether anyone may still come (A26, A27, A32).
 * I1. An id is taken from its reservation until its session was given back.
 * I2. Once closed it never opens again.
 */
import type { SessionId } from '@deepseek-ai/dsh-session';
import type { Agent, AgentHandle } from './agent.ts';
import type { LiveAgent } from './create-agent.ts';
import { agentError } from './errors.ts';

export interface Residents {
  /** Aborts when the registry closes. */
  readonly closing: AbortSignal;
  /** Throws `REGISTRY_CLOSED`; `what` says what did not happen. */
  assertOpen(what: string): void;
  close(): void;
  /** Throws `AGENT_EXISTS`. */
  reserve(id: SessionId | undefined): { free(): void };
  /** Makes the agent findable, and gives what makes it unfindable. Throws `AGENT_EXISTS`. */
  enter(live: LiveAgent): () => void;
  keep(live: LiveAgent, handle: AgentHandle): void;
  get(id: SessionId): Agent | undefined;
  list(): readonly Agent[];
  /** In the order in which they came. */
  handles(): readonly AgentHandle[];
  /** Counts `work` among what is on the way. */
  follow(work: Promise<unknown>): void;
  onTheWay(): readonly Promise<unknown>[];
}

export function createResidents(): Residents {
  const live = new Map<SessionId, LiveAgent>();
  const handles = new Map<LiveAgent, AgentHandle>();
  const reserved = new Set<SessionId>();
  const underWay = new Set<Promise<unknown>>();
  const controller = new AbortController();

  return {
    closing: controller.signal,
    assertOpen(what) {
      if (controller.signal.aborted) throw agentError('REGISTRY_CLOSED', `${what}: the registry is closed`);
    },
    close() {
      controller.abort(agentError('REGISTRY_CLOSED', 'no agent made: the registry was closed'));
    },
    reserve(id) {
      if (id === undefined) return { free: () => undefined };
      if (reserved.has(id) || live.has(id)) {
        throw agentError('AGENT_EXISTS', `no agent made for ${id}: one with this id lives or is on the way`);
      }
      reserved.add(id);
      return {
        free: () => {
          reserved.delete(id);
        },
      };
    },
    enter(agent) {
      const { id } = agent.agent;
      if (live.has(id)) throw agentError('AGENT_EXISTS', `no agent made for ${id}: one with this id lives`);
      live.set(id, agent);
      return () => {
        handles.delete(agent);
        if (live.get(id) === agent) live.delete(id);
      };
    },
    keep(agent, handle) {
      handles.set(agent, handle);
    },
    get: (id) => live.get(id)?.agent,
    list: () => Object.freeze(Array.from(live.values(), ({ agent }) => agent)),
    handles: () => [...handles.values()],
    follow(work) {
      underWay.add(work);
      const done = (): void => {
        underWay.delete(work);
      };
      work.then(done, done);
    },
    onTheWay: () => [...underWay],
  };
}
