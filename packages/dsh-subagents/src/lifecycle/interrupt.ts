/**
 * Ends the turn of a child and keeps what waits there (M39, M40).
 * I1. Who asks is checked before anything is said of the target.
 * I2. It disposes nothing: what follows is decided by what then keeps the Activation.
 */
import type { Agent, CancelCause } from '@deepseek-ai/dsh-agent';
import type { SessionId } from '@deepseek-ai/dsh-session';
import type { Slot } from '../activation/slot.ts';
import { isExactLive, unauthorized } from '../admission/admit.ts';
import { durableChain } from '../admission/lineage.ts';
import type { Context } from '../context.ts';
import type { InterruptReceipt } from '../subagents.ts';
import { refusal } from './send.ts';

interface InterruptOptions {
  readonly discard: boolean;
  /** Rules until the turn is cancelled. */
  readonly signal: AbortSignal | undefined;
}

export async function interruptByAncestor(
  context: Context,
  targetId: SessionId,
  ancestor: Agent,
  { discard, signal }: InterruptOptions,
): Promise<InterruptReceipt> {
  signal?.throwIfAborted();
  if (!isExactLive(context, ancestor) || targetId === ancestor.id)
    throw await refusal(context, ancestor, signal);
  // A slot that a stranger's start has taken says nothing of the stored child under that id: the store does.
  const known = context.slots.get(targetId)?.chain.includes(ancestor.id) === true;
  const own = known || (await durableChain(context.sessions, targetId, { signal })).includes(ancestor.id);
  if (!own || !isExactLive(context, ancestor)) throw await refusal(context, ancestor, signal);
  return interruptSlot(context, context.slots.get(targetId), 'parent', discard);
}

/** The presented parent has to be the durable one; it need not be live. Throws `UNAUTHORIZED`. */
export async function interruptByHost(
  context: Context,
  childId: SessionId,
  parentSessionId: SessionId,
  { discard, signal }: InterruptOptions,
): Promise<InterruptReceipt> {
  signal?.throwIfAborted();
  const known = context.slots.get(childId)?.parentId === parentSessionId;
  const [parentId] = known
    ? [parentSessionId]
    : await durableChain(context.sessions, childId, { limit: 1, signal });
  if (parentId !== parentSessionId) throw unauthorized();
  return interruptSlot(context, context.slots.get(childId), 'user', discard);
}

function interruptSlot(
  context: Context,
  slot: Slot | undefined,
  cause: CancelCause,
  discard: boolean,
): InterruptReceipt {
  const agent = slot?.handle?.agent;
  if (slot?.phase !== 'resident' || agent === undefined)
    return { kept: [], discarded: [], descendantsRunning: 0 };
  const receipt = agent.cancel(cause, { keepInbox: !discard });
  const descendantsRunning = context.slots.below(slot.childId).length;
  context.changed(slot);
  return { ...receipt, descendantsRunning };
}
