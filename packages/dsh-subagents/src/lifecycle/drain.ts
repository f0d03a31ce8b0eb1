/**
 * Close admission, stop a selection at once, and wait for its releases (M41 to M44).
 * I1. The gate closes, everything chosen is stopped, and waiting deliveries end in one synchronous span.
 * I2. Every branch is tried; the failures are told together.
 */
import type { Agent } from '@deepseek-ai/dsh-agent';
import type { SessionId } from '@deepseek-ai/dsh-session';
import { settleAll, untilAborted } from '@dsh-internal/async';
import type { CloseCause, Slot } from '../activation/slot.ts';
import { draining, isExactLive, unauthorized } from '../admission/admit.ts';
import type { Context } from '../context.ts';
import type { OneShotRuns } from '../one-shot/run.ts';
import { SubagentError, subagentError } from '../errors.ts';
import { headOf } from './resume.ts';
import { closeSlots } from './close.ts';

export function drainAll(context: Context, oneShots: OneShotRuns): Promise<void> {
  context.gate.closeAll();
  context.lanes.endWhere(() => true, draining('Not delivered'));
  const released = closeAndWait(context, [...context.slots.all()], 'drain');
  oneShots.stopAll(undefined, 'drain');
  return together([released, oneShots.settled()]);
}

/** Strictly below exact live roots; what is stale is ignored. */
export async function drainBelow(
  context: Context,
  parents: readonly Agent[],
  oneShots: OneShotRuns,
  signal: AbortSignal | undefined,
): Promise<void> {
  signal?.throwIfAborted();
  const roots = parents.filter((parent) => isExactLive(context, parent));
  const ids = new Set(roots.map(({ id }) => id));
  for (const root of roots) context.gate.closeBelow(root);
  context.lanes.endWhere(({ lineage }) => lineage.some((id) => ids.has(id)), draining('Not delivered'));
  const under = (chain: readonly SessionId[]): boolean => chain.some((id) => ids.has(id));
  const chosen = [...context.slots.all()].filter(({ chain }) => under(chain));
  const released = closeAndWait(context, chosen, 'drain');
  oneShots.stopAll(under, 'drain');
  await untilAborted(together([released, oneShots.settled()]), signal);
}

/** Every id is checked against the presented parent before anything is touched (M44). */
export async function stopChildren(
  context: Context,
  {
    parentId,
    childIds,
    signal,
  }: {
    readonly parentId: SessionId;
    readonly childIds: readonly SessionId[];
    readonly signal: AbortSignal | undefined;
  },
): Promise<void> {
  const ids = [...new Set(childIds)];
  const children = await Promise.all(ids.map((id) => isChildOrAbsent(context, id, parentId, signal)));
  if (children.includes(false)) throw unauthorized();
  // Another may have taken an absent id meanwhile.
  const slots = ids
    .map((id) => context.slots.get(id))
    .filter((slot): slot is Slot => slot?.parentId === parentId);
  const chosen = new Set(slots.flatMap((slot) => [slot, ...context.slots.below(slot.childId)]));
  await untilAborted(closeAndWait(context, [...chosen], 'stopped'), signal);
}

/** A stored Session with another parent, or with none, is not the child of this one. */
async function isChildOrAbsent(
  context: Context,
  id: SessionId,
  parentId: SessionId,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const known = context.slots.get(id)?.parentId ?? context.sessions.get(id)?.header.parentSession;
  if (known !== undefined) return known === parentId;
  if (context.sessions.get(id) !== undefined) return false;
  const head = await headOf(context, id, signal);
  return head === undefined || head.header.parentSession === parentId;
}

function closeAndWait(context: Context, chosen: readonly Slot[], cause: CloseCause): Promise<void> {
  closeSlots(context, chosen, cause);
  return together(chosen.map((slot) => slot.released.promise));
}

/** Waits for all of them, and tells all that failed as one. */
async function together(releases: readonly Promise<unknown>[]): Promise<void> {
  const failures = (await settleAll(releases)).flatMap((failure) =>
    SubagentError.is(failure) ? (failure.errors ?? [failure]) : [failure],
  );
  if (failures.length > 0) throw teardownFailed(failures);
}

function teardownFailed(errors: readonly unknown[]): SubagentError {
  return subagentError(
    'ACTIVATION_TEARDOWN_FAILED',
    `Everything was released, but not all of it ended: ${errors.map(String).join('; ')}`,
    { errors },
  );
}
