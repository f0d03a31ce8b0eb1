/** Order: what a turn claims, and where it stands in the log. */
import type { Agent } from '@deepseek-ai/dsh-agent';
import type { MessageId, SessionEvent, SessionId } from '@deepseek-ai/dsh-session';
import type { Happening, Invariant } from './happening.ts';
import type { Trial } from './trial.ts';

interface Waiting {
  readonly id: MessageId;
  readonly boundary: 'turn' | 'step';
  readonly wake: boolean;
}

/** An inbox by the rules alone, and the batch that is being claimed from it. */
interface Reference {
  waiting: Waiting[];
  batch: MessageId[];
  before: string;
}

export function claimsFollowTheInbox(trial: Trial): Invariant {
  const references = new Map<SessionId, Reference>();
  const of = (id: SessionId): Reference => {
    const known = references.get(id) ?? { waiting: [], batch: [], before: '' };
    references.set(id, known);
    return known;
  };
  return {
    see(happening) {
      switch (happening.at) {
        case 'enqueue':
          of(happening.agent.id).waiting.push({ ...happening, id: happening.message.id });
          return;
        case 'discard': {
          const reference = of(happening.agent.id);
          reference.waiting = reference.waiting.filter(({ id }) => id !== happening.message.id);
          return;
        }
        case 'log':
          logged(trial, happening.session.id, of(happening.session.id), happening.event);
          return;
        case 'created':
          // What a durable inbox has restored was accepted before.
          references.set(happening.agent.id, {
            ...{ batch: [], before: '' },
            waiting: happening.agent.inbox.list().map((entry) => ({ ...entry, id: entry.message.id })),
          });
          return;
        case 'disposed':
          references.delete(happening.agent.id);
          return;
        case 'crash':
          references.clear();
          return;
        default:
      }
    },
  };
}

function logged(trial: Trial, id: SessionId, reference: Reference, event: SessionEvent): void {
  if (event.type === 'user/message') {
    if (reference.batch.length === 0 && reference.before !== 'user/message') begin(reference);
    const expected = reference.batch.shift();
    if (expected !== event.data.id)
      trial.fail(`[A4 A7] ${id} claimed ${event.data.id} where ${expected ?? 'nothing'} was due`);
  } else if (reference.batch.length > 0) {
    trial.fail(`[A4 A7] ${id} did not claim ${reference.batch.join(' ')} with what waited before`);
    reference.batch = [];
  }
  // An acceptance may be logged at any moment.
  if (event.type !== 'tool/progress' && !event.type.startsWith('inbox/')) reference.before = event.type;
}

/** A4: the oldest waking entry decides at a turn's start; between steps every step entry goes. */
function begin(reference: Reference): void {
  const atStart = reference.before === 'turn/start';
  const first = atStart ? reference.waiting.find(({ wake }) => wake) : undefined;
  const taken = reference.waiting.filter((entry) => entry.boundary === 'step' || entry === first);
  reference.batch = taken.map(({ id }) => id);
  reference.waiting = reference.waiting.filter((entry) => !taken.includes(entry));
}

/** What is accepted after an abort belongs to a later turn, and an aborted turn begins no tool. */
export function abortedTurnsClaimNothing(trial: Trial): Invariant {
  const aborted = new Map<Agent, number>();
  const check = (happening: Extract<Happening, { at: 'dequeue' }>): void => {
    const { agent, turn, message } = happening;
    if (aborted.get(agent) === turn)
      trial.fail(`[A22] turn ${String(turn)} of ${agent.id} was aborted, and claimed ${message.id}`);
  };
  return {
    see(happening) {
      if (happening.at === 'aborted') aborted.set(happening.agent, happening.turn);
      if (happening.at === 'dequeue') check(happening);
      if (happening.at === 'tool' && aborted.get(happening.agent) === happening.agent.session.turns - 1)
        trial.fail(`[A21] ${happening.agent.id} began a tool in a turn that was aborted`);
    },
  };
}

export function resultsStayWithTheirCalls(trial: Trial): Invariant {
  const open = new Map<SessionId, Set<string>>();
  return {
    see(happening) {
      // What a crash or a take-over left open was closed before the agent was there.
      if (happening.at === 'created') open.delete(happening.agent.id);
      if (happening.at !== 'log') return;
      const { session, event } = happening;
      const calls = open.get(session.id) ?? new Set<string>();
      open.set(session.id, calls);
      if (event.type === 'assistant/message') {
        for (const block of event.data.content) if (block.type === 'tool-call') calls.add(block.callId);
      } else if (event.type === 'tool/result') calls.delete(event.data.callId);
      else if (calls.size > 0 && (event.type === 'user/message' || event.type === 'turn/end'))
        trial.fail(`[A6] ${event.type} of ${session.id} stands between a call and its result`);
    },
  };
}
