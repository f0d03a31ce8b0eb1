/**
 * What an agent should be, by the rules alone and from what was seen: several invariants ask for it. It hears of each
 * happening first.
 */
import type { Agent, Boundary } from '@deepseek-ai/dsh-agent';
import type { MessageId, SessionEvent, SessionId } from '@deepseek-ai/dsh-session';
import type { Happening } from './happening.ts';

export interface Waiting {
  readonly id: MessageId;
  readonly boundary: Boundary;
  readonly wake: boolean;
}

export interface Reference {
  readonly agent: Agent;
  waiting: Waiting[];
  /** The mark of a cancel. */
  mark: 'user' | 'other' | undefined;
  /** Something has happened that may park an inbox. */
  mayPark: boolean;
  /** A hook has said so in this turn; it parks some microtasks later. */
  hooked: boolean;
  /** Others had a say while a cancel was under way: what its mark has become cannot be told from outside. */
  hazy: boolean;
  /** The mark that a cancel is about to set. */
  marking: 'user' | 'other' | undefined;
  stopped: boolean;
  lost: boolean;
  disposed: boolean;
  /** The turn that is open, in the log. */
  turn: number | undefined;
  aborted: number | undefined;
  /** Answers of the open turn, and whether something was claimed in it. */
  answers: number;
  claimed: boolean;
}

export interface References {
  of(agent: Agent): Reference;
  live(): readonly Reference[];
  see(happening: Happening): void;
}

/** The entries and the mark that a log says a durable inbox has. */
export function inboxOf(events: readonly SessionEvent[]): Pick<Reference, 'waiting' | 'mark'> {
  const found: Pick<Reference, 'waiting' | 'mark'> = { waiting: [], mark: undefined };
  for (const event of events) {
    if (event.type === 'inbox/accepted') {
      const { message, boundary, wake } = event.data;
      found.waiting.push({ id: message.id, boundary, wake });
      if (wake && (found.mark !== 'user' || isUser(message.source))) found.mark = undefined;
    }
    if (event.type === 'user/message') found.waiting = found.waiting.filter(({ id }) => id !== event.data.id);
    if (event.type === 'inbox/discarded')
      found.waiting = found.waiting.filter(({ id }) => !event.data.ids.includes(id));
    if (event.type === 'inbox/parked')
      found.mark = found.mark === 'user' || event.data.cause === 'user' ? 'user' : 'other';
    if (event.type === 'inbox/unparked') found.mark = undefined;
  }
  return found;
}

function isUser(source: { readonly kind: string }): boolean {
  return source.kind === 'user';
}

export function createReferences(): References {
  const all = new Map<Agent, Reference>();
  const live = new Map<SessionId, Reference>();
  const of = (agent: Agent): Reference => all.get(agent) ?? make(agent);
  const make = (agent: Agent): Reference => {
    const reference: Reference = {
      ...{ agent, waiting: [], mark: undefined },
      // A durable one is made of its log, which is in memory then.
      ...(agent.inbox.durable ? inboxOf(agent.session.events()) : {}),
      ...{
        mayPark: false,
        hooked: false,
        marking: undefined,
        hazy: false,
        stopped: false,
        lost: false,
        disposed: false,
      },
      ...{ turn: undefined, aborted: undefined, answers: 0, claimed: false },
    };
    all.set(agent, reference);
    return reference;
  };
  return {
    of,
    live: () => [...live.values()],
    see(happening) {
      if (happening.at === 'crash') live.clear();
      if (happening.at === 'lost') for (const one of all.values()) one.lost ||= one.agent.id === happening.id;
      if (!('agent' in happening)) return;
      const reference = of(happening.agent);
      if (happening.at === 'created') live.set(happening.agent.id, reference);
      if (happening.at === 'disposed') {
        reference.disposed = true;
        if (live.get(happening.agent.id) === reference) live.delete(happening.agent.id);
      }
      inboxSees(reference, happening);
      turnSees(reference, happening);
    },
  };
}

function inboxSees(reference: Reference, happening: Happening): void {
  switch (happening.at) {
    case 'enqueue': {
      const { message, boundary, wake } = happening;
      reference.waiting.push({ id: message.id, boundary, wake });
      const lifts = wake && (reference.mark !== 'user' || isUser(message.source));
      if (lifts) {
        reference.mark = undefined;
        reference.mayPark = false;
      }
      return;
    }
    case 'discard':
      reference.waiting = reference.waiting.filter(({ id }) => id !== happening.message.id);
      return;
    case 'cancel': {
      const { keep, user, turn, agent } = happening;
      const work = !agent.inbox.parked && agent.inbox.list().some(({ wake }) => wake);
      if (turn && reference.aborted === undefined) reference.aborted = reference.turn;
      reference.marking = keep && (turn || work) ? (user ? 'user' : 'other') : undefined;
      return;
    }
    case 'cancelled': {
      const { marking } = reference;
      if (happening.keep && !happening.alone) reference.hazy = true;
      if (marking === undefined) return;
      reference.mark = reference.mark === 'user' ? 'user' : marking;
      reference.mayPark = true;
      return;
    }
    case 'unparked':
      reference.mark = undefined;
      reference.mayPark = false;
      return;
    case 'hook':
      reference.hooked ||= happening.parks;
      return;
    case 'turn-end':
      // Only what ends a turn before it has done what woke it may park.
      if (happening.reason.kind === 'error') {
        reference.mayPark ||= !reference.claimed || happening.reason.code === 'CLAIM_FAILED';
      }
      return;
    default:
  }
}

function turnSees(reference: Reference, happening: Happening): void {
  if (happening.at === 'status' && happening.status === 'closing') {
    reference.stopped = true;
    reference.aborted ??= reference.turn;
  }
  if (happening.at === 'aborted') reference.aborted ??= happening.turn;
  if (happening.at !== 'log') return;
  const { event } = happening;
  switch (event.type) {
    case 'turn/start':
      Object.assign(reference, {
        turn: event.data.turn,
        aborted: undefined,
        answers: 0,
        claimed: false,
        hooked: false,
      });
      return;
    case 'turn/end':
      Object.assign(reference, { turn: undefined, aborted: undefined });
      return;
    case 'user/message':
      reference.claimed = true;
      return;
    case 'assistant/message':
      reference.answers += 1;
      return;
    default:
  }
}
