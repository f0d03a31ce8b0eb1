/**
 * What a step takes from the inbox: proposed by A4, seen by the hooks, then claimed in one span (A3, A19).
 * I1. Between the look at what still waits and its place in the log nothing can happen.
 */
import { freezeJson, type UserMessage } from '@deepseek-ai/dsh-session';
import type { Boundary, InboxEntry } from './agent.ts';
import type { AgentCore, CurrentTurn } from './core.ts';
import { agentError } from './errors.ts';

export type ClaimResult =
  | { readonly kind: 'claimed'; readonly count: number }
  /** The hook wants nothing claimed now: all stays, and the inbox is parked. */
  | { readonly kind: 'deferred' }
  | { readonly kind: 'refused' };

export async function claimStep(core: AgentCore, turn: CurrentTurn, step: number): Promise<ClaimResult> {
  const { inbox, hooks } = core;
  // An abort may have come since the turn began, and after the hook has answered (A22).
  turn.signal.throwIfAborted();
  const at: Boundary = step === 0 ? 'turn' : 'step';
  const proposed = inbox.state.propose(at);
  if (proposed.length === 0) return { kind: 'claimed', count: 0 };
  const place = { turn: turn.ordinal, step };
  if (!hooks.looksAtSteps) return claimed(turn, inbox.claim(messagesOf(proposed), place));

  const decision = await hooks.beforeStep(proposed, turn.signal);
  turn.signal.throwIfAborted();
  switch (decision.kind) {
    case 'refuse':
      inbox.discard(proposed, 'refused');
      return { kind: 'refused' };
    case 'defer':
      return defer(core);
    case 'claim': {
      const chosen = chosenMessages(core, proposed, decision.entries);
      return chosen.length === 0 ? defer(core) : claimed(turn, inbox.claim(chosen, place));
    }
  }
}

function claimed(turn: CurrentTurn, count: number): ClaimResult {
  turn.claimed ||= count > 0;
  return { kind: 'claimed', count };
}

function defer(core: AgentCore): ClaimResult {
  core.inbox.state.park({ code: 'DEFERRED' });
  return { kind: 'deferred' };
}

function messagesOf(entries: readonly InboxEntry[]): readonly UserMessage[] {
  return entries.map(({ message }) => message);
}

/** The hook may leave entries out and change content; ids and sources are the senders'. */
function chosenMessages(
  core: AgentCore,
  proposed: readonly InboxEntry[],
  chosen: readonly InboxEntry[],
): readonly UserMessage[] {
  const byId = new Map(proposed.map(({ message }) => [message.id, message]));
  try {
    return chosen.flatMap(({ message }) => {
      const original = byId.get(message.id);
      if (original === undefined || original === message) return original ?? [];
      return freezeJson({ ...original, content: message.content });
    });
  } catch (cause) {
    core.inbox.state.park({ code: 'HOOK_FAILED' });
    throw agentError('HOOK_FAILED', `hook beforeStep gave content that cannot be logged`, { cause });
  }
}
