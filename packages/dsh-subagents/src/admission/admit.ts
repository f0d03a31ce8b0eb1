/**
 * The checks of the synchronous span in which a message enters an inbox (M4). Nothing here waits, and nobody
 * may wait between these checks and the insertion.
 */
import type { Agent } from '@deepseek-ai/dsh-agent';
import type { MessageId, SessionId } from '@deepseek-ai/dsh-session';
import type { Slot } from '../activation/slot.ts';
import { lineageOf, type Context } from '../context.ts';
import { subagentError, type SubagentError } from '../errors.ts';
import { closingText, drainingText, hopLimitText, unauthorizedText } from '../wording.ts';

/** What is refused without a look at who asks. The edge adds whom the asker can reach. */
export function unauthorized(): SubagentError {
  return subagentError('UNAUTHORIZED', unauthorizedText([]));
}

/** What a caller hands over as an agent could be anything. */
export function isAgent(value: unknown): value is Agent {
  return typeof value === 'object' && value !== null && 'session' in value && 'inbox' in value;
}

/** The exact object that is live under its id, and not a child that this runtime does not keep (M12). */
export function isExactLive(context: Context, agent: Agent): boolean {
  if (!isAgent(agent) || context.agents.get(agent.id) !== agent) return false;
  const slot = context.slots.get(agent.id);
  if (slot !== undefined) return slot.handle?.agent === agent;
  return agent.session.header.origin !== 'subagent';
}

/** It or a managed ancestor has been stopped. */
export function isLineageClosing(context: Context, agent: Agent): boolean {
  if (agent.status === 'closing') return true;
  return lineageOf(context, agent).some((id) => context.slots.get(id)?.phase === 'closing');
}

/** No new work may begin because of a drain. `what` says what then did not happen. */
export function draining(what: string): SubagentError {
  return subagentError('DRAINING', drainingText(what));
}

/** No new work may begin with `id`, or under it, because that agent is on its way out. */
export function closing(what: string, id: SessionId): SubagentError {
  return subagentError('ACTIVATION_CLOSING', closingText(what, id));
}

/** Why nothing goes on under a lineage that ends here: the first of it is who asks, the rest is above it. */
export function endOf(
  context: Context,
  lineage: readonly [SessionId, ...SessionId[]],
  what: string,
): SubagentError {
  return context.gate.closedOver(lineage) ? draining(what) : closing(what, lineage[0]);
}

/** No new work may begin under `agent`. */
export function isLeaving(context: Context, agent: Agent): boolean {
  return context.gate.closedOver(lineageOf(context, agent)) || isLineageClosing(context, agent);
}

/** Throws where no new work may begin under `agent`. */
export function assertAdmitting(context: Context, agent: Agent, what: string): void {
  if (isLeaving(context, agent))
    throw endOf(context, [agent.id, ...lineageOf(context, agent).slice(1)], what);
}

/** The hops that a message of `agent` carries. Throws `LIMIT_REACHED` where those are too many (M47). */
export function assertHops(context: Context, agent: Agent, what: string): number {
  const hops = context.hops.next(agent);
  const { maxHops } = context.policy;
  if (hops > maxHops) throw subagentError('LIMIT_REACHED', hopLimitText(what, hops, maxHops));
  return hops;
}

export interface Admission {
  readonly slot: Slot;
  /** The parent in whose name something is delivered to the child in `slot`. */
  readonly parent: Agent;
  readonly signal: AbortSignal | undefined;
  readonly what: string;
}

/** Checks everything that has to hold at the moment of acceptance, and inserts. Throws, or has accepted. */
export function admit(
  context: Context,
  admission: Admission,
  insert: (child: Agent) => MessageId,
): MessageId {
  const { slot, parent, signal, what } = admission;
  signal?.throwIfAborted();
  if (!isExactLive(context, parent) || slot.parentId !== parent.id) throw unauthorized();
  assertAdmitting(context, parent, what);
  const child = slot.handle?.agent;
  if (slot.phase !== 'resident' || child === undefined) throw closing(what, slot.childId);
  const { accepted: before, insertions } = slot;
  // Set first: a listener of the insertion may close the child, and then its end has to be told.
  slot.accepted = true;
  try {
    const answer = insert(child);
    // It was accepted before under the same id (M17): read since then, or still waiting in what was restored.
    if (slot.insertions === insertions)
      slot.accepted = before || child.inbox.list().some((entry) => entry.wake);
    return answer;
  } catch (error) {
    slot.accepted = before;
    throw error;
  }
}
