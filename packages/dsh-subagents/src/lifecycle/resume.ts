/**
 * Makes a stored child resident again (M20 to M24).
 * I1. Reading reserves nothing. When the read has returned, one synchronous span checks everything again, looks
 *     for a slot again, and only then reserves (M13).
 * I2. No provider is asked, and the parent is not needed for the reconstruction.
 */
import type { Agent } from '@deepseek-ai/dsh-agent';
import { SessionError, type SessionHead, type SessionId } from '@deepseek-ai/dsh-session';
import { reserveSlot, type Slot } from '../activation/slot.ts';
import { assertAdmitting, isExactLive, unauthorized } from '../admission/admit.ts';
import { lineageOf, type Context } from '../context.ts';
import { subagentError } from '../errors.ts';
import type { ChildDescriptor } from '../resume/descriptor.ts';
import { inheritedSystem, reconstruct } from '../resume/reconstruct.ts';
import { busyElsewhereText, notResumableText } from '../wording.ts';
import { attachLane, type Lane } from './lane.ts';
import { materialize } from './materialize.ts';

/** Reads and authorizes a stored child. Throws `UNAUTHORIZED`, or `NOT_RESUMABLE` for a direct child alone (M12). */
export async function readChild(
  context: Context,
  childId: SessionId,
  parentId: SessionId,
  signal: AbortSignal | undefined,
): Promise<ChildDescriptor> {
  const head = await headOf(context, childId, signal);
  if (head?.header.parentSession !== parentId || head.header.origin !== 'subagent') throw unauthorized();
  const reading = reconstruct(head);
  if (reading.kind === 'not-resumable') throw notResumable(childId, reading.reason);
  return reading.descriptor;
}

export async function headOf(
  context: Context,
  id: SessionId,
  signal: AbortSignal | undefined,
): Promise<SessionHead | undefined> {
  try {
    return await context.sessions.head(id, { signal });
  } catch (error) {
    if (SessionError.is(error)) return undefined;
    throw error;
  }
}

/** The asker's way to an absent child: found, authorized, and reserved. */
export async function approachStored(
  context: Context,
  parent: Agent,
  lane: Lane,
  what: string,
): Promise<void> {
  const { targetId } = lane;
  let descriptor: ChildDescriptor;
  try {
    descriptor = await readChild(context, targetId, parent.id, lane.over.signal);
  } catch (error) {
    // What was read is of before.
    if (context.slots.get(targetId) !== undefined) return;
    throw error;
  }
  if (lane.asks.length === 0 || context.slots.get(targetId) !== undefined) return;
  const slot = reserveStored(context, parent, targetId, descriptor, what);
  attachLane(lane, slot);
  // Everyone who waits is told by the lane; there is nobody else to hear of it.
  void resumeStored(context, slot, descriptor).catch(() => undefined);
}

/** Checks and reserves in one synchronous span. */
export function reserveStored(
  context: Context,
  parent: Agent,
  childId: SessionId,
  descriptor: ChildDescriptor,
  what: string,
): Slot {
  if (!isExactLive(context, parent)) throw unauthorized();
  assertAdmitting(context, parent, what);
  if (context.agents.get(childId) !== undefined)
    throw notResumable(childId, 'it is held live outside the subagent runtime');
  context.accounts.assertRoom(parent, what);
  const { provider, label, maxDepth } = descriptor;
  const slot = reserveSlot(
    {
      childId,
      parentId: parent.id,
      chain: lineageOf(context, parent),
      runId: context.newId(),
      provider,
      label,
      maxDepth,
      resumed: true,
      reservedAt: context.clock.now(),
    },
    undefined,
  );
  context.slots.add(slot);
  return slot;
}

/** Resolves when the child is resident. Rejects after a complete rollback, also where nobody wanted it any more. */
export function resumeStored(context: Context, slot: Slot, descriptor: ChildDescriptor): Promise<void> {
  const { effort, persona, toolFilter, system } = descriptor;
  const stored = descriptor.model;
  let model = stored;
  return materialize(context, slot, {
    make(install) {
      model = context.policy.overrideModel?.({ childId: slot.childId, model: stored }) ?? stored;
      return context.agents.resume({
        id: slot.childId,
        model,
        start: 'held',
        signal: slot.starting.signal,
        admit: install,
        ...context.accounts.hooks,
        ...(effort === undefined ? {} : { effort }),
        ...(persona === undefined ? {} : { persona }),
        ...(toolFilter === undefined ? {} : { toolFilter }),
        ...(system === 'default'
          ? {}
          : { system: (session) => inheritedSystem(session.events(), session.header.seedLength ?? 0) }),
        setup: (agent) => {
          const parent = context.agents.get(slot.parentId);
          if (parent !== undefined) context.tools?.adopt(agent, parent, descriptor.adopted ?? []);
        },
      });
    },
    admitted() {
      if (model !== stored) logOverride(context, slot, { stored, used: model });
    },
    explain: (error) => explain(slot.childId, model, error),
  });
}

function logOverride(
  context: Context,
  slot: Slot,
  models: { readonly stored: string; readonly used: string },
): void {
  try {
    slot.handle?.agent.session.append('subagent/model-overridden', models);
  } catch (cause) {
    context.report({
      code: 'override-not-logged',
      level: 'warning',
      message: `The log of ${slot.childId} does not say that it runs with ${models.used}.`,
      sessionId: slot.childId,
      cause,
    });
  }
}

function explain(childId: SessionId, model: string, error: unknown): unknown {
  const { code } = error as { readonly code?: unknown };
  switch (code) {
    case 'SESSION_LOCKED':
      return subagentError(
        'BUSY_ELSEWHERE',
        busyElsewhereText(childId, SessionError.is(error) ? error.holder : undefined),
        { cause: error },
      );
    case 'NO_MODEL':
      return notResumable(childId, `this program has no model ${JSON.stringify(model)}`, error);
    case 'SESSION_LIVE':
    case 'AGENT_EXISTS':
      return notResumable(childId, 'it is held live outside the subagent runtime', error);
    case 'DAMAGED_LOG':
    case 'UNKNOWN_ESSENTIAL_EVENT':
    case 'UNSUPPORTED_VERSION':
      return notResumable(childId, `its stored Session cannot be opened (${code})`, error);
    default:
      return error;
  }
}

function notResumable(childId: SessionId, reason: string, cause?: unknown) {
  return subagentError('NOT_RESUMABLE', notResumableText(childId, reason), { cause });
}
