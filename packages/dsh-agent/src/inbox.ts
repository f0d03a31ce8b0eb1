/**
 * The inbox of one agent: acceptance, removal, and the claim into the log.
 * Owns: the order of effects around the pure state. Does not own: when a claim is made (turn).
 * I1. Acceptance: insert, driver scheduled, enqueue event, status event, all in one synchronous span (A9).
 * I2. While a claim is being logged its messages are in the log's hands only: no longer in the inbox (A3).
 */
import type { MessageId, UserMessage } from '@deepseek-ai/dsh-session';
import type { Boundary, CancelCause, DiscardReason, InboxEntry, InboxView, MessageInput } from './agent.ts';
import type { AgentCore } from './core.ts';
import { agentError } from './errors.ts';
import { createInboxState, type InboxState } from './inbox-state.ts';
import { isExempt, messageBytes, readMessage } from './message-input.ts';

export interface Inbox {
  readonly state: Omit<InboxState, 'accept' | 'discard' | 'learn' | 'take' | 'putBack'>;
  readonly view: InboxView;
  accept(input: MessageInput, boundary: Boundary, wake: boolean): MessageId;
  /** Takes those that still wait into the log, as these messages. Throws `CLAIM_FAILED`; all are back then. */
  claim(messages: readonly UserMessage[], place: { readonly turn: number; readonly step: number }): number;
  discard(entries: readonly InboxEntry[], reason: DiscardReason): readonly MessageId[];
  /** Takes note of messages that the log holds already. */
  learn(logged: Iterable<{ readonly id: MessageId; readonly seq: number }>): void;
}

export interface InboxDeps {
  readonly core: AgentCore;
  /** Begins a driver if one is due. */
  readonly poke: () => void;
}

export function createInbox(deps: () => InboxDeps): Inbox {
  const state = createInboxState();

  const discard = (entries: readonly InboxEntry[], reason: DiscardReason): readonly MessageId[] => {
    const { core } = deps();
    // All leave before the first event, so that every listener sees the same inbox.
    const gone = entries.flatMap(({ message }) => state.discard(message.id, reason) ?? []);
    for (const entry of gone) core.emit('agent/inbox/discard', { ...entry, reason });
    if (gone.length > 0) core.tellStatus();
    return gone.map(({ message }) => message.id);
  };
  const view: InboxView = {
    list: () => state.list(),
    get parked() {
      return state.parked;
    },
    remove(id) {
      const entry = state.get(id);
      return entry !== undefined && discard([entry], 'removed').length > 0;
    },
    clear: () => discard(state.list(), 'cleared'),
  };

  return {
    state,
    view,
    accept(input, boundary, wake) {
      const { core, poke } = deps();
      checkOpen(core, wake);
      // Only an id that the caller chose can be one that the log holds.
      if (input.id !== undefined) core.history.look();
      const message = readMessage(input, core.services.newMessageId);
      if (state.outcome(message.id) !== 'unknown') return message.id;
      const bytes = messageBytes(message);
      checkRoom(core, state, message, bytes);
      state.accept(Object.freeze({ message, boundary, wake }), bytes);
      poke();
      core.emit('agent/inbox/enqueue', { message, boundary, wake });
      core.tellStatus();
      return message.id;
    },
    claim: (messages, place) => claim(deps().core, state, messages, place),
    discard,
    learn(logged) {
      const { core } = deps();
      const dropped = Array.from(logged, ({ id, seq }) => state.learn(id, seq)).filter(
        (entry) => entry !== undefined,
      );
      for (const entry of dropped) core.emit('agent/inbox/discard', { ...entry, reason: 'removed' });
      if (dropped.length > 0) core.tellStatus();
    },
  };
}

function claim(
  core: AgentCore,
  state: InboxState,
  messages: readonly UserMessage[],
  place: { readonly turn: number; readonly step: number },
): number {
  const byId = new Map(messages.map((message) => [message.id, message]));
  const first = core.session.length;
  const batch = state.take(byId.keys(), first);
  if (batch.entries.length === 0) return 0;
  const taken = batch.entries.map(({ message }) => byId.get(message.id) ?? message);
  try {
    core.session.appendAll(taken.map((data) => ({ type: 'user/message', data })));
  } catch (cause) {
    state.putBack(batch);
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
