/**
 * Turns of a hand-driven agent, written to its Session as a real loop writes them.
 * I1. A claim that could not be logged leaves the inbox as it was (A3).
 */
import {
  newMessageId,
  type AssistantMessage,
  type ContentBlock,
  type TurnEndReason,
  type UserMessage,
} from '@deepseek-ai/dsh-session';
import type { HandDrivenCore } from './hand-driven-core.ts';

export function claimTurn(core: HandDrivenCore): readonly UserMessage[] {
  const { inbox, session } = core;
  if (core.life !== 'open') throw new Error(`agent ${session.id} claims nothing: it is ${core.life}`);
  if (core.turn?.abort !== undefined)
    throw new Error(`agent ${session.id} claims nothing: its turn is aborted`);
  const proposed = inbox.propose(core.turn === undefined ? 'turn' : 'step');
  if (proposed.length === 0)
    throw new Error(`agent ${session.id} claims nothing: nothing waits that may be claimed`);
  const turn = (core.turn ??= beginTurn(core));
  const batch = inbox.take(
    proposed.map(({ message }) => message.id),
    session.length,
  );
  const messages = batch.entries.map(({ message }) => message);
  const place = { turn: turn.ordinal, step: turn.steps };
  let seq = session.length;
  try {
    session.appendAll(messages.map((data) => ({ type: 'user/message', data })));
  } catch (error) {
    inbox.putBack(batch);
    throw error;
  }
  turn.steps += 1;
  for (const message of messages) core.emit('agent/inbox/dequeue', { message, ...place, seq: seq++ });
  return messages;
}

function beginTurn(core: HandDrivenCore): NonNullable<HandDrivenCore['turn']> {
  const ordinal = core.session.turns;
  core.session.append('turn/start', { turn: ordinal });
  core.emit('agent/turn/start', { turn: ordinal });
  core.tell();
  return { ordinal, steps: 0, abort: undefined };
}

export function answerTurn(
  core: HandDrivenCore,
  content: string | readonly ContentBlock[],
): AssistantMessage {
  if (core.turn === undefined) throw new Error(`agent ${core.session.id} answers nothing: no turn is open`);
  return core.session.append('assistant/message', {
    id: newMessageId(),
    role: 'assistant',
    content: typeof content === 'string' ? [{ type: 'text', text: content }] : content,
    finish: 'stop',
    model: core.options.model,
  }).data;
}

export function finishTurn(core: HandDrivenCore, reason?: TurnEndReason): void {
  const { turn } = core;
  if (turn === undefined) throw new Error(`agent ${core.session.id} ends nothing: no turn is open`);
  const { abort } = turn;
  const end = reason ?? (abort === undefined ? { kind: 'completed' } : { kind: 'aborted', cause: abort });
  core.session.append('turn/end', { turn: turn.ordinal, reason: end });
  core.turn = undefined;
  core.emit('agent/turn/end', { turn: turn.ordinal, reason: end });
  core.tell();
}
