/**
 * The public face of a hand-driven agent: acceptance, removal, cancel, waiting.
 * I1. Acceptance is one synchronous span: insert, then the event, then the status (A1, A9).
 */
import { newMessageId, type MessageId } from '@deepseek-ai/dsh-session';
import { deferred, untilAborted } from '@dsh-internal/async';
import type { Agent, AgentStatus, Boundary, DiscardReason, InboxEntry, MessageInput } from '../agent.ts';
import { agentError } from '../errors.ts';
import { messageBytes, readMessage } from '../message-input.ts';
import { readCause } from '../thrown.ts';
import type { HandDrivenCore } from './hand-driven-core.ts';

export function agentByHand(core: HandDrivenCore): Agent {
  const { inbox, session } = core;
  return {
    id: session.id,
    session,
    options: core.options,
    inbox: {
      list: () => inbox.list(),
      get parked() {
        return inbox.parked;
      },
      durable: false,
      remove: (id) =>
        discard(
          core,
          inbox.list().filter(({ message }) => message.id === id),
          'removed',
        ).length > 0,
      clear: () => discard(core, inbox.list(), 'cleared'),
    },
    get status() {
      return statusOf(core);
    },
    followup: (input) => accept(core, input, 'turn', true),
    steer: (input) => accept(core, input, 'step', true),
    inject: (input) => accept(core, input, 'step', false),
    cancel: (cause, { keepInbox = false } = {}) => cancel(core, readCause(cause), keepInbox),
    unpark() {
      inbox.unpark();
      core.tell();
    },
    async whenIdle({ signal } = {}) {
      while (statusOf(core) === 'running') await untilAborted(nextRest(core), signal);
    },
    outcome: (id) => inbox.outcome(id),
    accepted: async (id) => {
      throw agentError('INBOX_NOT_DURABLE', `message ${id} is in the inbox of an agent by hand`);
    },
    on: (type, listener) => core.emitter.on(type, listener),
  };
}

function statusOf({ life, turn, inbox }: HandDrivenCore): AgentStatus {
  if (life === 'stopped' || life === 'disposed') return 'closing';
  return turn !== undefined || inbox.hasWork ? 'running' : 'idle';
}

async function nextRest(core: HandDrivenCore): Promise<void> {
  const rest = deferred();
  const wake = (): void => {
    core.idle.delete(wake);
    rest.resolve();
  };
  core.idle.add(wake);
  return rest.promise;
}

function accept(core: HandDrivenCore, input: MessageInput, boundary: Boundary, wake: boolean): MessageId {
  const { id } = core.session;
  if (core.life === 'disposed')
    throw agentError('AGENT_DISPOSED', `message not accepted: agent ${id} is disposed`);
  if (core.life === 'stopped' && wake) {
    throw agentError('AGENT_CLOSING', `message not accepted: agent ${id} is closing`);
  }
  const message = readMessage(input, newMessageId);
  if (core.inbox.outcome(message.id) !== 'unknown') return message.id;
  core.inbox.accept(Object.freeze({ message, boundary, wake }), messageBytes(message));
  core.emit('agent/inbox/enqueue', { message, boundary, wake });
  core.tell();
  return message.id;
}

function discard(
  core: HandDrivenCore,
  entries: readonly InboxEntry[],
  reason: DiscardReason,
): readonly MessageId[] {
  // All leave before the first event, so that every listener sees the same inbox.
  for (const { message } of entries) core.inbox.discard(message.id, reason);
  for (const entry of entries) core.emit('agent/inbox/discard', { ...entry, reason });
  core.tell();
  return entries.map(({ message }) => message.id);
}

/** A20. The open turn stays open until the hand ends it. */
function cancel(
  core: HandDrivenCore,
  cause: Parameters<Agent['cancel']>[0],
  keep: boolean,
): ReturnType<Agent['cancel']> {
  const { inbox, turn } = core;
  const waiting = inbox.list();
  const aborts = turn !== undefined && turn.abort === undefined;
  core.cancels.push(cause);
  if (keep && (turn !== undefined || inbox.hasWork)) inbox.park(cause);
  if (turn !== undefined) turn.abort ??= cause;
  const discarded = keep ? [] : discard(core, waiting, 'cancelled');
  core.tell();
  return {
    ...(aborts ? { turn: turn.ordinal } : {}),
    kept: keep ? waiting.map(({ message }) => message.id) : [],
    discarded,
  };
}
