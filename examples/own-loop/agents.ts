/**
 * The agents of a program with a loop of its own, as far as a subagent runtime needs them.
 * 1. An agent can be found from the span in which `admit` has taken its handle until it is gone.
 */
import type { AgentEventMap } from '@deepseek-ai/dsh-agent';
import type { Session, SessionId, SessionStore } from '@deepseek-ai/dsh-session';
import type { AgentsPort, PortCreateSpec, PortHandle, PortResumeSpec } from '@deepseek-ai/dsh-subagents';
import { ownAgent, type Answer, type Emit } from './agent.ts';

export interface OwnAgents extends AgentsPort {
  dispose(): Promise<void>;
}

export function ownAgents(sessions: SessionStore, answer: Answer): OwnAgents {
  const live = new Map<SessionId, PortHandle>();
  const listeners = new Set<readonly [keyof AgentEventMap, (event: never) => void]>();
  const hooks: (() => Promise<void>)[] = [];
  const emit: Emit = (type, event) => {
    for (const [heard, listener] of listeners) if (heard === type) listener(event as never);
  };
  const publish = async (session: Session, spec: PortCreateSpec | PortResumeSpec): Promise<PortHandle> => {
    const options = { model: spec.model ?? 'own' };
    const handle = ownAgent({ session, options, answer, emit, held: spec.start === 'held', end });
    await spec.setup?.(handle.agent, { defer: () => undefined });
    live.set(session.id, handle);
    try {
      spec.signal?.throwIfAborted();
      spec.admit?.(handle);
    } catch (error) {
      await end(session);
      throw error;
    }
    return handle;
  };
  async function end(session: Session): Promise<void> {
    live.delete(session.id);
    await sessions.close(session);
  }
  return {
    async create(spec) {
      const { id, cwd, parentSession, rootSession, origin, delegationDepth, seed, provisional, signal } =
        spec;
      const header = { id, cwd, parentSession, rootSession, origin, delegationDepth, seed, provisional };
      const given = Object.fromEntries(Object.entries(header).filter(([, value]) => value !== undefined));
      return publish(await sessions.create({ ...given, signal }), spec);
    },
    async resume(spec) {
      const session = await sessions.open(spec.id, { signal: spec.signal });
      await session.ready();
      return publish(session, spec);
    },
    get: (id) => live.get(id)?.agent,
    beforeDispose(hook) {
      hooks.push(hook);
      return registration(() => hooks.splice(hooks.indexOf(hook), 1));
    },
    on(type, listener) {
      const heard = [type, listener] as const;
      listeners.add(heard);
      return registration(() => listeners.delete(heard));
    },
    async dispose() {
      for (const hook of hooks) await hook();
      for (const handle of [...live.values()]) await handle.dispose();
    },
  };
}

function registration(dispose: () => unknown) {
  return { dispose: () => void dispose(), [Symbol.dispose]: () => void dispose() };
}
