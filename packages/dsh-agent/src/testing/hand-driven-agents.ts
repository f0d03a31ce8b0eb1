/**
 * A registry of hand-driven agents, for runtimes that make and resume agents.
 * Owns: who is live.  Does not own: the store.
 * I1. An agent can be found when `setup` and `admit` have gone well, and not before (A25).
 * I2. One live agent per id; the id is reserved before the first await (A26).
 */
import type { Session, SessionId, SessionStore } from '@deepseek-ai/dsh-session';
import { createEmitter, memo } from '@dsh-internal/async';
import type { Agent } from '../agent.ts';
import { agentError } from '../errors.ts';
import type { AgentEventMap } from '../events.ts';
import type { AgentCreateSpec, AgentRegistry, AgentResumeSpec, AgentSpec } from '../registry.ts';
import { handDrivenAgent, type HandDrivenAgent, type HandDrivenOptions } from './hand-driven-agent.ts';
import { registration } from './registration.ts';

export interface HandDrivenAgents extends AgentRegistry {
  /** The hand of a live agent. Throws where none lives under that id. */
  driven(id: SessionId): HandDrivenAgent;
  /** All that were ever made, the oldest first. */
  readonly made: readonly HandDrivenAgent[];
}

/** The options of {@link handDrivenAgents}. */
export interface HandDrivenAgentsOptions extends Pick<HandDrivenOptions, 'disposal'> {
  /** Where the Sessions of the agents are. */
  readonly sessions: SessionStore;
}

interface Residents extends HandDrivenAgentsOptions {
  readonly live: Map<SessionId, HandDrivenAgent | undefined>;
  readonly made: HandDrivenAgent[];
  readonly publish: NonNullable<HandDrivenOptions['publish']>;
  closed: boolean;
}

/** Makes and resumes agents over `sessions`, none of which does anything by itself. */
export function handDrivenAgents(options: HandDrivenAgentsOptions): HandDrivenAgents {
  const faults: unknown[] = [];
  const emitter = createEmitter<AgentEventMap>((fault) => {
    faults.push(fault);
  });
  const hooks = new Set<{ readonly run: () => Promise<void> }>();
  const residents: Residents = {
    ...options,
    live: new Map(),
    made: [],
    closed: false,
    publish(type, event) {
      emitter.emit(type, event);
      if (faults.length > 0) throw faults.shift();
    },
  };
  const drivens = (): readonly HandDrivenAgent[] =>
    [...residents.live.values()].filter((driven) => driven !== undefined);
  return {
    protocol: { name: 'dsh-agent/registry', version: 1 },
    made: residents.made,
    create: async (spec = {}) => (await establish(residents, spec, creation(options.sessions, spec))).handle,
    resume: async (spec) => (await establish(residents, spec, resumption(options.sessions, spec))).handle,
    driven(id) {
      const driven = residents.live.get(id);
      if (driven === undefined) throw new Error(`no agent ${id} lives`);
      return driven;
    },
    get: (id) => residents.live.get(id)?.agent,
    list: () => drivens().map(({ agent }) => agent),
    beforeDispose(run) {
      const hook = { run };
      hooks.add(hook);
      return registration(() => {
        hooks.delete(hook);
      });
    },
    on: (type, listener) => emitter.on(type, listener),
    [Symbol.asyncDispose]: memo(async () => {
      residents.closed = true;
      for (const { run } of [...hooks].toReversed()) await run();
      for (const { handle } of drivens().toReversed()) await handle.dispose();
    }),
  };
}

interface SessionSource {
  readonly id: SessionId | undefined;
  readonly open: () => Promise<Session>;
  readonly giveUp: (session: Session) => Promise<void>;
}

function creation(sessions: SessionStore, spec: AgentCreateSpec): SessionSource {
  const { id, cwd, parentSession, rootSession, origin, delegationDepth, meta, seed, provisional } = spec;
  const fields = { id, cwd, parentSession, rootSession, origin, delegationDepth, meta, seed, provisional };
  const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
  return {
    id,
    open: () => sessions.create(given),
    async giveUp(session) {
      if (provisional === true) sessions.discard(session);
      else await sessions.close(session);
    },
  };
}

function resumption(sessions: SessionStore, { id, signal }: AgentResumeSpec): SessionSource {
  return { id, open: () => sessions.open(id, { signal }), giveUp: (session) => sessions.close(session) };
}

async function establish(
  residents: Residents,
  spec: AgentSpec,
  source: SessionSource,
): Promise<HandDrivenAgent> {
  const { live, made, publish, sessions, disposal = 'auto' } = residents;
  if (residents.closed) throw agentError('REGISTRY_CLOSED', 'no agent made: the registry is disposed');
  spec.signal?.throwIfAborted();
  if (source.id !== undefined) reserve(live, source.id);
  const session = await source.open().catch((error: unknown) => {
    if (source.id !== undefined) live.delete(source.id);
    throw error;
  });
  const disposers: (() => void | Promise<void>)[] = [];
  const release = async (): Promise<void> => {
    for (const disposer of disposers.toReversed()) await disposer();
    live.delete(session.id);
    await sessions.close(session);
  };
  const abandon = (): void => {
    live.delete(session.id);
    sessions.close(session).catch(() => undefined);
  };
  const options = optionsOf(spec, session);
  const driven = handDrivenAgent({ session, options, disposal, publish, release, abandon });
  try {
    await spec.setup?.(driven.agent, { defer: (disposer) => void disposers.push(disposer) });
    spec.signal?.throwIfAborted();
    live.set(session.id, driven);
    spec.admit?.(driven.handle);
  } catch (error) {
    live.delete(session.id);
    for (const disposer of disposers.toReversed()) await disposer();
    await source.giveUp(session);
    throw error;
  }
  made.push(driven);
  publish('agent/created', { agent: driven.agent });
  if (spec.start !== 'held') driven.handle.start();
  return driven;
}

function reserve(live: Residents['live'], id: SessionId): void {
  if (live.has(id)) throw agentError('AGENT_EXISTS', `no agent made for ${id}: one with this id lives`);
  live.set(id, undefined);
}

function optionsOf(spec: AgentSpec, session: Session): Agent['options'] {
  const { model = 'by-hand', effort, system, toolFilter } = spec;
  const prompt = typeof system === 'function' ? system(session) : system;
  return {
    model,
    ...(effort === undefined ? {} : { effort }),
    ...(prompt === undefined ? {} : { system: prompt }),
    ...(toolFilter === undefined ? {} : { toolFilter }),
  };
}
