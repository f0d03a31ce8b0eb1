/** What a crash leaves: durable acceptances come back, and what a person has stopped stays stopped. */
import type { Agent } from '@deepseek-ai/dsh-agent';
import type { MessageId, Session, SessionEvent, SessionId } from '@deepseek-ai/dsh-session';
import type { Invariant } from './happening.ts';
import type { Trial } from './trial.ts';

function ownEvents(session: Session, until: number): readonly SessionEvent[] {
  const from = session.header.seedLength ?? 0;
  return session.events(from).slice(0, Math.max(0, until - from));
}

function acceptedIn(events: readonly SessionEvent[]): ReadonlySet<MessageId> {
  return new Set(events.flatMap((event) => (event.type === 'inbox/accepted' ? [event.data.message.id] : [])));
}

function consumedIn(events: readonly SessionEvent[]): ReadonlySet<MessageId> {
  return new Set(
    events.flatMap((event) => {
      if (event.type === 'user/message') return [event.data.id];
      return event.type === 'inbox/discarded' ? event.data.ids : [];
    }),
  );
}

/** Once each: what was durably accepted waits again, or its end is in the log. */
export function durableWorkComesBack(trial: Trial): Invariant {
  const agents = new Map<SessionId, Agent>();
  const owed = new Map<SessionId, ReadonlySet<MessageId>>();
  const leave = (agent: Agent): void => {
    owed.set(agent.id, acceptedIn(ownEvents(agent.session, agent.session.durableLength)));
  };
  const back = (agent: Agent): void => {
    const events = ownEvents(agent.session, agent.session.length);
    const consumed = consumedIn(events);
    const waiting = agent.inbox.list().map(({ message }) => message.id);
    for (const id of owed.get(agent.id) ?? []) {
      if (!consumed.has(id) && !waiting.includes(id))
        trial.fail(`[A31] ${id} was durably accepted by ${agent.id}, and is gone after a resume`);
    }
    for (const id of waiting)
      if (consumed.has(id)) trial.fail(`[A31] ${id} waits in ${agent.id} again, and its log has ended it`);
  };
  if (trial.settings.wide?.inbox !== 'durable') return {};
  return {
    see(happening) {
      switch (happening.at) {
        case 'created':
          back(happening.agent);
          agents.set(happening.agent.id, happening.agent);
          return;
        case 'disposed':
          leave(happening.agent);
          agents.delete(happening.agent.id);
          return;
        case 'crash':
          for (const agent of agents.values()) leave(agent);
          agents.clear();
          return;
        case 'request': {
          const { agent } = happening;
          if (agent?.inbox.durable !== true) return;
          const last = agent.session.events().findLast(({ type }) => type === 'user/message');
          if (last !== undefined && last.seq >= agent.session.durableLength)
            trial.fail(`[A31] ${agent.id} shows a model a claim that is not durable`);
          return;
        }
        default:
      }
    },
  };
}

/** A message is in a log once, however often it was sent. */
export function logsHoldAMessageOnce(trial: Trial): Invariant {
  return {
    see(happening) {
      if (happening.at !== 'log' || happening.event.type !== 'user/message') return;
      const { session, event } = happening;
      const same = ownEvents(session, session.length).filter(
        (one) => one.type === 'user/message' && one.data.id === event.data.id,
      );
      if (same.length > 1) trial.fail(`[A1 M17] ${event.data.id} is in the log of ${session.id} twice`);
    },
  };
}

/** An id that a call was answered with is its own, and was accepted. */
export function repeatedCallsAreOne(trial: Trial): Invariant {
  const accepted = new Set<string>();
  return {
    see(happening) {
      if (happening.at === 'enqueue') accepted.add(`${happening.message.id} in ${happening.agent.id}`);
      if (happening.at !== 'answer' || happening.operation.kind !== 'again') return;
      const { state, value, messageId = '', targetId = '' } = happening.operation;
      if (state !== 'done') return;
      if (value !== messageId) trial.fail(`[M17] ${messageId} was answered with ${String(value)}`);
      if (!accepted.has(`${messageId} in ${targetId}`))
        trial.fail(`[M17] ${messageId} was sent again to ${targetId}, answered, and accepted nowhere`);
    },
  };
}

/** What a person has stopped goes on at a person's word alone. */
export function personsAreObeyed(trial: Trial): Invariant {
  const marked = new Set<Agent>();
  // A failed claim sets a mark of its own.
  if (trial.settings.faults) return {};
  return {
    see(happening) {
      switch (happening.at) {
        case 'person-parks':
          marked.add(happening.agent);
          return;
        case 'person-unparks':
        case 'disposed':
          marked.delete(happening.agent);
          return;
        case 'enqueue':
          if (happening.message.source.kind === 'user' && happening.wake) marked.delete(happening.agent);
          return;
        case 'discard':
          if (happening.agent.inbox.list().length === 0) marked.delete(happening.agent);
          return;
        case 'log':
          if (happening.event.type !== 'turn/start') return;
          if ([...marked].some(({ session }) => session === happening.session))
            trial.fail(`[A20 M35] ${happening.session.id} was stopped by a person, and began a turn`);
          return;
        case 'crash':
          marked.clear();
          return;
        default:
      }
    },
  };
}
