/**
 * The inbox of one agent: acceptance, removal, the mark, and the claim into the log.
 * Owns: the order of effects around the pure state. Does not own: when a claim is made (turn).
 * I1. Acceptance: insert, log, driver scheduled, enqueue event, status event, all in one synchronous span (A9, A31).
 * I2. While a claim is being logged its messages are in the log's hands only: no longer in the inbox (A3).
 * I3. Who hears of an acceptance by the log, before the others, may accept and discard: the enqueue event of an entry
 *     comes before that of a later one, and before its own discard.
 */
import type { MessageId, SessionEvent, UserMessage } from '@deepseek-ai/dsh-session';
import type { Boundary, CancelCause, DiscardReason, InboxEntry, InboxView, MessageInput } from './agent.ts';
import type { AgentCore } from './core.ts';
import { agentError } from './errors.ts';
import { restoreInbox } from './inbox-events.ts';
import type { InboxJournal } from './inbox-journal.ts';
import { createInboxState, type InboxState, type LoggedMessage } from './inbox-state.ts';
import { isExempt, messageBytes, readMessage } from './message-input.ts';
import { textMember } from './thrown.ts';

export interface Inbox {
  readonly state: Omit<
    InboxState,
    'accept' | 'discard' | 'learn' | 'learnPast' | 'take' | 'putBack' | 'unpark'
  >;
  readonly view: InboxView;
  accept(input: MessageInput, boundary: Boundary, wake: boolean): MessageId;
  /** Takes those that still wait into the log, as these messages. Throws `CLAIM_FAILED`; all are back then. */
  claim(messages: readonly UserMessage[], place: ClaimPlace): number;
  discard(entries: readonly InboxEntry[], reason: DiscardReason): readonly MessageId[];
  /** The mark that a cancel sets; `state.park` is for failures, which a resume forgets. */
  park(cause: CancelCause): void;
  unpark(): void;
  /** Tells what is not told yet (I3). To be called before what listeners must hear later. */
  announce(): void;
  /** Takes note of what the Session's own events say; a durable inbox is restored by them. To be called once. */
  learn(own: readonly SessionEvent[]): void;
}

interface ClaimPlace {
  readonly turn: number;
  readonly step: number;
}

export function createInbox(journal: InboxJournal, core: AgentCore): Inbox {
  return new Queue(journal, core);
}

class Queue implements Inbox {
  readonly state = createInboxState();
  readonly view: InboxView;
  readonly #journal: InboxJournal;
  readonly #core: AgentCore;
  readonly #untold: (() => void)[] = [];

  constructor(journal: InboxJournal, core: AgentCore) {
    this.#journal = journal;
    this.#core = core;
    this.view = new View(journal.durable, core, this);
  }

  accept(input: MessageInput, boundary: Boundary, wake: boolean): MessageId {
    const core = this.#core;
    const { state } = this;
    this.announce();
    checkOpen(core, wake);
    // Only an id that the caller chose can be one that the log holds.
    const given = textMember(input, 'id') !== undefined;
    if (given) core.history.look();
    const message = readMessage(input, core.services.newMessageId);
    if (state.outcome(message.id) !== 'unknown') {
      if (given) return message.id;
      throw agentError('INVALID_MESSAGE', `message not accepted: its new id ${message.id} is taken`);
    }
    const bytes = messageBytes(message);
    checkRoom(core, state, message, bytes);
    const entry = Object.freeze({ message, boundary, wake });
    const undo = state.accept(entry, bytes);
    this.#untold.push(() => {
      core.poke();
      core.emit('agent/inbox/enqueue', { ...entry });
      core.tellStatus();
    });
    try {
      this.#journal.accepted(entry);
    } catch (cause) {
      undo();
      this.#untold.pop();
      const why = (cause as Error).message;
      throw agentError('ACCEPT_FAILED', `message not accepted: the log did not take it: ${why}`, { cause });
    }
    this.announce();
    return message.id;
  }

  claim(messages: readonly UserMessage[], place: ClaimPlace): number {
    return claim({ core: this.#core, state: this.state, inbox: this }, messages, place);
  }

  discard(entries: readonly InboxEntry[], reason: DiscardReason): readonly MessageId[] {
    const core = this.#core;
    this.announce();
    // All leave before the first event, so that every listener sees the same inbox.
    const gone = entries.flatMap(({ message }) => this.state.discard(message.id, reason) ?? []);
    if (gone.length > 0) this.#journal.discarded(gone, reason);
    for (const entry of gone) {
      this.#untold.push(() => {
        core.emit('agent/inbox/discard', { ...entry, reason });
      });
    }
    this.announce();
    if (gone.length > 0) core.tellStatus();
    return gone.map(({ message }) => message.id);
  }

  park(cause: CancelCause): void {
    this.state.park(cause);
    this.#journal.parked(cause);
  }

  unpark(): void {
    if (!this.state.parked) return;
    this.state.unpark();
    this.#journal.unparked();
  }

  /** Also where the telling of something earlier is under way (I3). */
  announce(): void {
    for (let tell = this.#untold.shift(); tell !== undefined; tell = this.#untold.shift()) tell();
  }

  learn(own: readonly SessionEvent[]): void {
    if (this.#journal.durable) restoreInbox(this.state, own);
    else learnLogged(this.#core, this.state, own);
  }
}

/** Once its agent is disposed an inbox is a record: what a log has kept is not for it to discard. */
class View implements InboxView {
  readonly durable: boolean;
  readonly #core: AgentCore;
  readonly #inbox: Inbox;

  constructor(durable: boolean, core: AgentCore, inbox: Inbox) {
    this.durable = durable;
    this.#core = core;
    this.#inbox = inbox;
  }

  get parked(): boolean {
    return this.#inbox.state.parked;
  }

  list(): readonly InboxEntry[] {
    return this.#inbox.state.list();
  }

  remove(id: MessageId): boolean {
    const entry = this.#inbox.state.get(id);
    return entry !== undefined && this.#discard([entry], 'removed').length > 0;
  }

  clear(): readonly MessageId[] {
    return this.#discard(this.list(), 'cleared');
  }

  #discard(entries: readonly InboxEntry[], reason: DiscardReason): readonly MessageId[] {
    return this.#core.phase.life === 'disposed' ? [] : this.#inbox.discard(entries, reason);
  }
}

/** What waits under an id that the log holds was accepted before the log could be read: it is the same message. */
function learnLogged(core: AgentCore, state: InboxState, own: readonly SessionEvent[]): void {
  const dropped = state.learnPast(messagesIn(own));
  for (const entry of dropped) core.emit('agent/inbox/discard', { ...entry, reason: 'removed' });
  if (dropped.length > 0) core.tellStatus();
}

function messagesIn(events: readonly SessionEvent[]): readonly LoggedMessage[] {
  return events
    .filter((event) => event.type === 'user/message')
    .map(({ seq, data }) => ({ seq, id: data.id }));
}

interface ClaimDeps {
  readonly core: AgentCore;
  readonly state: InboxState;
  readonly inbox: Inbox;
}

function claim(deps: ClaimDeps, messages: readonly UserMessage[], place: ClaimPlace): number {
  const { core, state } = deps;
  const byId = new Map(messages.map((message) => [message.id, message]));
  const first = core.session.length;
  const batch = state.take(byId.keys(), first);
  if (batch.entries.length === 0) return 0;
  const taken = batch.entries.map(({ message }) => byId.get(message.id) ?? message);
  try {
    core.session.appendAll(taken.map((data) => ({ type: 'user/message', data })));
  } catch (cause) {
    state.putBack(batch);
    // Who hears of the discard may cancel the turn (A22).
    if (dropRepeated(deps, batch.entries)) return core.turn?.cause ? 0 : claim(deps, messages, place);
    state.park(claimFailed);
    throw agentError('CLAIM_FAILED', `${taken.length} messages not claimed: ${(cause as Error).message}`, {
      cause,
    });
  }
  taken.forEach((message, index) => {
    core.emit('agent/inbox/dequeue', { message, ...place, seq: first + index });
  });
  return taken.length;
}

/** A log holds a message once. One that came again when its id was forgotten is discarded, and holds up nothing. */
function dropRepeated({ core, inbox }: ClaimDeps, entries: readonly InboxEntry[]): boolean {
  const own = core.session.events(core.session.header.seedLength ?? 0);
  const logged = new Set(messagesIn(own).map(({ id }) => id));
  const repeated = entries.filter(({ message }) => logged.has(message.id));
  return inbox.discard(repeated, 'removed').length > 0;
}

const claimFailed: CancelCause = { code: 'CLAIM_FAILED' };

function checkOpen(core: AgentCore, wake: boolean): void {
  const { life } = core.phase;
  if (life === 'disposed')
    throw agentError('AGENT_DISPOSED', `message not accepted: agent ${core.agent.id} is disposed`);
  if (life === 'stopped' && wake) {
    throw agentError('AGENT_CLOSING', `message not accepted: agent ${core.agent.id} is closing`);
  }
}

function checkRoom(core: AgentCore, state: InboxState, message: UserMessage, bytes: number): void {
  const { inboxEntries, inboxBytes } = core.services.limits;
  if (isExempt(message) || (state.size < inboxEntries && state.bytes + bytes <= inboxBytes)) return;
  throw agentError(
    'INBOX_FULL',
    `message not accepted: the inbox of agent ${core.agent.id} holds ${state.size} messages of ${state.bytes} bytes`,
  );
}
