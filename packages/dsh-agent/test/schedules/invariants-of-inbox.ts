/** Acceptance, claims, discards and the mark. */
import type { Agent } from '@deepseek-ai/dsh-agent';
import type { MessageId, SessionId } from '@deepseek-ai/dsh-session';
import type { Happening, Invariant } from './happening.ts';
import { inboxOf, type Reference, type References, type Waiting } from './reference.ts';
import { inMemory } from './stored.ts';
import type { Trial } from './trial.ts';

const names = (entries: readonly { readonly id: MessageId }[]): string =>
  entries.map(({ id }) => id).join(' ');

/** Hears of a claim before the reference takes it out. */
export function claimsFollowTheRules(trial: Trial, references: References): Invariant {
  return {
    see(happening) {
      if (happening.at !== 'log' || happening.event.type !== 'user/message') return;
      const { agent, event } = happening;
      const reference = references.of(agent);
      if (batchesEnd.get(agent) !== undefined && event.seq < (batchesEnd.get(agent) ?? 0)) return;
      const later = agent.session.events(event.seq);
      const end = later.findIndex(({ type }) => type !== 'user/message');
      const batch = (end === -1 ? later : later.slice(0, end)).flatMap((one) =>
        one.type === 'user/message' ? one.data.id : [],
      );
      batchesEnd.set(agent, event.seq + batch.length);
      check(trial, reference, batch);
      reference.waiting = reference.waiting.filter(({ id }) => !batch.includes(id));
    },
  };
}

const batchesEnd = new WeakMap<Agent, number>();

function check(trial: Trial, reference: Reference, batch: readonly MessageId[]): void {
  const { waiting, agent, answers } = reference;
  const mark = reference.hazy ? undefined : reference.mark;
  const taken = batch.map((id) => waiting.find((entry) => entry.id === id));
  if (taken.includes(undefined))
    trial.fail(`[A3] ${agent.id} claimed ${batch.join(' ')} where ${names(waiting)} waited`);
  if (mark !== undefined)
    trial.fail(`[A20] ${agent.id} claimed ${batch.join(' ')} from an inbox that a cancel has parked`);
  if (reference.aborted !== undefined)
    trial.fail(`[A22] ${agent.id} claimed ${batch.join(' ')} in a turn that was aborted`);
  const first = answers === 0 ? waiting.find(({ wake }) => wake) : undefined;
  const due = waiting.filter((entry) => entry.boundary === 'step' || entry === first);
  if (trial.settings.hook === 'none') {
    if (names(due) !== batch.join(' '))
      trial.fail(`[A4 A7] ${agent.id} claimed ${batch.join(' ')} where ${names(due)} was due`);
    return;
  }
  const order = waiting.filter(({ id }) => batch.includes(id));
  if (names(order) !== batch.join(' '))
    trial.fail(`[A2 A19] ${agent.id} claimed ${batch.join(' ')} out of order`);
  const turns = taken.filter((entry: Waiting | undefined) => entry?.boundary === 'turn').length;
  if (turns > (answers === 0 ? 1 : 0))
    trial.fail(`[A4] ${agent.id} claimed ${String(turns)} turns in one step`);
}

export function inboxEqualsTheReference(trial: Trial, references: References): Invariant {
  const compare = (reference: Reference): void => {
    const listed = names(reference.agent.inbox.list().map(({ message }) => message));
    if (listed !== names(reference.waiting)) {
      trial.fail(`[A2] ${reference.agent.id} lists ${listed} where ${names(reference.waiting)} wait`);
    }
  };
  return {
    see(happening) {
      if (happening.at === 'dequeue') {
        const { agent, message, seq } = happening;
        const event = agent.session.events(seq)[0];
        if (event?.type !== 'user/message' || event.data.id !== message.id)
          trial.fail(`[A3] ${message.id} is not at ${String(seq)} of the log`);
        if (agent.inbox.list().some(({ message: one }) => one.id === message.id))
          trial.fail(`[A3] ${message.id} was claimed and still waits`);
      }
      if (happening.at === 'turn-start' || happening.at === 'turn-end')
        compare(references.of(happening.agent));
    },
    rest() {
      for (const reference of references.live()) compare(reference);
    },
  };
}

/** `again`: accepted before the log could be read, which holds the same id. */
type Place = 'waits' | 'again' | 'over';

export function everyMessageEndsOnce(trial: Trial, references: References): Invariant {
  const known = new Map<SessionId, Map<MessageId, Place>>();
  const of = (id: SessionId): Map<MessageId, Place> => known.get(id) ?? new Map<MessageId, never>();
  const over = (agent: Agent, id: MessageId, how: string): void => {
    const place = of(agent.id).get(id);
    if (place !== 'waits' && place !== 'again')
      trial.fail(`[A3] ${id} of ${agent.id} was ${how} though it did not wait`);
    if (place === 'again' && how === 'claimed')
      trial.fail(`[A1 A28] ${id} of ${agent.id} was claimed, and its log held it already`);
    of(agent.id).set(id, 'over');
  };
  return {
    see(happening) {
      if (happening.at === 'made') {
        const ids = new Map<MessageId, Place>();
        for (const event of happening.events) {
          if (event.type === 'inbox/accepted') ids.set(event.data.message.id, 'over');
          if (event.type === 'user/message') ids.set(event.data.id, 'over');
        }
        for (const { id } of references.of(happening.agent).waiting) ids.set(id, 'waits');
        known.set(happening.agent.id, ids);
      }
      if (happening.at === 'enqueue') {
        const { agent, message } = happening;
        const before = of(agent.id).get(message.id);
        const unread = before === 'over' && inMemory(agent.session) === undefined;
        if (before !== undefined && !unread)
          trial.fail(`[A1] ${message.id} of ${agent.id} was accepted twice`);
        of(agent.id).set(message.id, unread ? 'again' : 'waits');
      }
      if (happening.at === 'discard' && happening.reason === 'disposed') {
        const { agent, message } = happening;
        if (agent.inbox.durable && !trial.discarding.has(agent))
          trial.fail(`[A24] ${message.id} was to be kept`);
      }
      if (happening.at === 'discard') over(happening.agent, happening.message.id, 'discarded');
      if (happening.at === 'log' && happening.event.type === 'user/message') {
        over(happening.agent, happening.event.data.id, 'claimed');
      }
      if (happening.at === 'disposed') {
        const { agent } = happening;
        const left = references.of(agent).waiting;
        if (!agent.inbox.durable && left.length > 0)
          trial.fail(`[A24] nobody was told what became of ${names(left)}`);
      }
    },
    rest() {
      for (const { agent } of references.live()) logsAnswer(trial, agent, of(agent.id));
    },
  };
}

/** What a log that is in memory holds is what is said of its messages. */
function logsAnswer(trial: Trial, agent: Agent, places: ReadonlyMap<MessageId, Place>): void {
  for (const event of inMemory(agent.session) ?? []) {
    // What came again waits until something asks the log.
    if (event.type !== 'user/message' || places.get(event.data.id) === 'again') continue;
    const said = JSON.stringify(agent.outcome(event.data.id));
    if (said !== JSON.stringify({ logged: event.seq }))
      trial.fail(`[A1 A28] ${event.data.id} is in the log of ${agent.id} and said to be ${said}`);
  }
}

/** What was accepted durably is there after every crash, in order and once. */
export function durableMeansKept(trial: Trial, references: References): Invariant {
  const promised = new Map<SessionId, Set<MessageId>>();
  const kept = new Map<SessionId, string>();
  return {
    see(happening) {
      if (
        happening.at === 'answer' &&
        happening.operation.kind === 'accepted' &&
        happening.operation.state === 'done'
      ) {
        const { agent, messageId } = happening.operation;
        if (agent === undefined || messageId === undefined) return;
        const ids = promised.get(agent.id) ?? new Set();
        promised.set(agent.id, ids.add(messageId));
        const { session } = agent;
        if (
          session
            .events(session.durableLength)
            .some((event) => event.type === 'inbox/accepted' && event.data.message.id === messageId)
        )
          trial.fail(`[A31] ${messageId} was said to be durable and is not`);
      }
      if (happening.at === 'crash' || happening.at === 'lost') kept.clear();
      if (happening.at === 'disposed') {
        const { agent } = happening;
        if (
          agent.inbox.durable &&
          !references.of(agent).lost &&
          !trial.settings.faults &&
          trial.settings.time === 'idle'
        )
          kept.set(agent.id, names(references.of(agent).waiting));
      }
      if (happening.at === 'made') made(happening);
    },
  };

  function made({ agent, events }: Extract<Happening, { readonly at: 'made' }>): void {
    const listed = names(agent.inbox.list().map(({ message }) => message));
    const { waiting, mark } = agent.inbox.durable ? inboxOf(events) : { waiting: [], mark: undefined };
    if (listed !== names(waiting))
      trial.fail(`[A31] ${agent.id} was resumed with ${listed} where ${names(waiting)} wait in its log`);
    if (agent.inbox.parked !== (mark !== undefined))
      trial.fail(`[A20 A31] ${agent.id} was resumed ${agent.inbox.parked ? '' : 'not '}parked`);
    if (agent.inbox.durable !== trial.settings.durable)
      trial.fail(`[A31] ${agent.id} has forgotten what its inbox is`);
    const said = new Set(
      events.flatMap((event) => (event.type === 'inbox/accepted' ? event.data.message.id : [])),
    );
    for (const id of promised.get(agent.id) ?? [])
      if (!said.has(id)) trial.fail(`[A31] ${id} was durable and is lost`);
    const before = kept.get(agent.id);
    if (before !== undefined && before !== listed)
      trial.fail(`[A24 A31] ${agent.id} was left with ${before} and has ${listed}`);
    kept.delete(agent.id);
  }
}

export function marksHaveReasons(trial: Trial, references: References): Invariant {
  const look = (reference: Reference): void => {
    const { agent, mayPark, hooked, mark, lost, hazy } = reference;
    if (lost || hazy || agent.session.lost.aborted || trial.settings.faults) return;
    if (agent.inbox.parked && !mayPark && !hooked && mark === undefined)
      trial.fail(`[A11] ${agent.id} is parked for no reason`);
    if (!agent.inbox.parked && mark !== undefined)
      trial.fail(`[A20] ${agent.id} is not parked after a cancel`);
  };
  return {
    see(happening) {
      if (happening.at === 'turn-end' || happening.at === 'turn-start') look(references.of(happening.agent));
    },
    rest() {
      for (const reference of references.live()) look(reference);
    },
  };
}

export function receiptsSayWhatHappened(trial: Trial): Invariant {
  let asked: { readonly waiting: readonly MessageId[]; readonly agent: Agent } | undefined;
  return {
    see(happening) {
      if (happening.at === 'cancel') asked = happening;
      if (happening.at !== 'cancelled') return;
      const { agent, keep, receipt } = happening;
      const before = asked?.agent === agent ? asked.waiting : [];
      asked = undefined;
      if (keep && receipt.discarded.length > 0)
        trial.fail(`[A20] a cancel that keeps has discarded ${receipt.discarded.join(' ')}`);
      if (keep && before.some((id) => agent.outcome(id) === 'waiting' && !receipt.kept.includes(id)))
        trial.fail('[A20] a receipt does not say what was kept');
      const left = before.filter((id) => agent.outcome(id) === 'waiting' && agent.status !== 'closing');
      if (!keep && left.length > 0) trial.fail(`[A20] ${left.join(' ')} waits after a cancel`);
    },
  };
}
