/**
 * Follows what is in memory: agents, their logs and inboxes, and the answers that are being written.
 * Owns: the subscriptions, and which logs have grown.
 * I1. A listener only notes that something has changed; logs are folded when somebody is about to look.
 * I2. After disposal nothing is heard any more, and every agent is as it was.
 */
import type { Agent, AgentEventMap, AgentRegistry } from '@deepseek-ai/dsh-agent';
import {
  SessionError,
  type Registration,
  type SessionId,
  type SessionRecord,
} from '@deepseek-ai/dsh-session';
import type { SubagentRuntime } from '@deepseek-ai/dsh-subagents';
import type { Feed } from './feed.ts';
import type { KnownSessions } from './known-sessions.ts';
import type { PartialAnswers } from './partial-answers.ts';
import type { FlowEdge } from './protocol.ts';
import type { Place } from './view/tree.ts';

export interface WatchDeps {
  readonly agents: Pick<AgentRegistry, 'on' | 'list' | 'get'>;
  readonly subagents: Pick<SubagentRuntime, 'on'>;
  readonly known: KnownSessions;
  readonly partials: PartialAnswers;
  readonly feed: Pick<Feed, 'changed' | 'inboxChanged' | 'edges'>;
  /** Has its log read from the store. */
  readonly enqueue: (id: SessionId) => void;
}

export interface LiveWatch extends Disposable {
  /** Folds what live logs have got since the last call. */
  catchUp(): void;
  liveOf(id: SessionId): Place['live'];
}

export function watchLive(deps: WatchDeps): LiveWatch {
  const { agents, known, partials } = deps;
  const grown = new Map<SessionId, Agent>();
  const logs = new Map<SessionId, Registration>();
  const grows = (agent: Agent): void => {
    grown.set(agent.id, agent);
    deps.feed.changed();
  };
  const begin = (agent: Agent): void => {
    known.learnHeader(agent.session.header);
    logs.get(agent.id)?.dispose();
    const onLog = agent.session.subscribe(({ type }) => {
      if (type === 'assistant/message' || type === 'turn/end') partials.ended(agent.id);
      grows(agent);
    });
    logs.set(agent.id, onLog);
    grows(agent);
  };
  const end = (agent: Agent): void => {
    logs.get(agent.id)?.dispose();
    logs.delete(agent.id);
    partials.ended(agent.id);
    grows(agent);
    deps.feed.inboxChanged(agent.id);
  };
  const registrations = [
    agents.on('agent/created', ({ agent }) => {
      begin(agent);
    }),
    agents.on('agent/disposed', ({ agent }) => {
      end(agent);
    }),
    ...watchAgents(deps, grows),
  ];
  for (const agent of agents.list()) begin(agent);
  return {
    catchUp() {
      for (const agent of grown.values()) catchUpOne(deps, agent);
      grown.clear();
    },
    liveOf: (id) => liveFacts(agents.get(id)),
    [Symbol.dispose]() {
      for (const registration of [...registrations, ...logs.values()]) registration.dispose();
    },
  };
}

function watchAgents(deps: WatchDeps, grows: (agent: Agent) => void): readonly Registration[] {
  const { agents, subagents, partials } = deps;
  const touched = ['agent/status', 'agent/turn/start', 'agent/turn/end'] as const;
  const inbox = ['agent/inbox/enqueue', 'agent/inbox/dequeue', 'agent/inbox/discard'] as const;
  const changed = (): void => {
    deps.feed.changed();
  };
  return [
    ...touched.map((type) =>
      agents.on(type, ({ agent }: AgentEventMap[typeof type]) => {
        grows(agent);
      }),
    ),
    ...inbox.map((type) =>
      agents.on(type, ({ agent }: AgentEventMap[typeof type]) => {
        deps.feed.inboxChanged(agent.id);
      }),
    ),
    agents.on('agent/stream', ({ agent, turn, step, event }) => {
      partials.heard({ id: agent.id, turn, step, event });
      changed();
    }),
    agents.on('agent/retry', ({ agent }) => {
      partials.again(agent.id);
    }),
    subagents.on('subagent/start', changed),
    subagents.on('subagent/parked', changed),
    subagents.on('subagent/end', changed),
  ];
}

function catchUpOne({ known, feed, enqueue }: WatchDeps, { session }: Agent): void {
  const one = known.learnHeader(session.header);
  try {
    const events = session.events(one.readTo);
    const records: readonly SessionRecord[] = events.map((event) => ({ kind: 'event', event }));
    const edges: readonly FlowEdge[] = known.fold(one, records, session.length);
    if (edges.length > 0) feed.edges(edges);
  } catch (error) {
    if (!SessionError.is(error)) throw error;
    // Its beginning is on the medium alone.
    one.length = Math.max(one.length, session.length);
    enqueue(session.id);
  }
}

function liveFacts(agent: Agent | undefined): Place['live'] {
  if (agent === undefined) return undefined;
  const { inbox, status } = agent;
  const entries = inbox.list();
  const pending = entries.some(({ wake }) => wake);
  return { busy: status !== 'idle', pending, parked: inbox.parked, waiting: entries.length };
}
