/**
 * A person's words to a child (M45). No model and no tool reaches this.
 * I1. The parent, and each ancestor that is made resident for it, is held until the words were accepted, and
 *     released in any case. Held from the reservation on, its start is not given up by others that leave.
 */
import type { Agent } from '@deepseek-ai/dsh-agent';
import type { ContentBlock, MessageId, SessionId } from '@deepseek-ai/dsh-session';
import { untilAborted } from '@dsh-internal/async';
import type { Slot } from '../activation/slot.ts';
import { admit, isExactLive, unauthorized } from '../admission/admit.ts';
import { durableChain } from '../admission/lineage.ts';
import { readContent } from '../admission/start-request.ts';
import { holdSlot, lineageOf, newMessageId, type Context } from '../context.ts';
import { subagentError } from '../errors.ts';
import type { HostControls } from '../subagents.ts';
import { giveUpUnwanted } from './lane.ts';
import { approachStored, readChild, reserveStored, resumeStored } from './resume.ts';

const what = 'The prompt was not delivered';
type Prompt = Parameters<HostControls['prompt']>[1];
/** Detached from what the caller holds. */
type CheckedPrompt = Pick<Prompt, 'signal'> & {
  readonly id: MessageId;
  readonly content: readonly ContentBlock[];
};

export async function promptChild(context: Context, childId: SessionId, input: Prompt): Promise<MessageId> {
  const { parentSessionId, delivery = 'queue', wakeAncestors = false, signal } = input;
  const id = input.messageId ?? newMessageId(context);
  const prompt: CheckedPrompt = { id, content: readContent(input.content, what), signal };
  const held: Disposable[] = [];
  try {
    if (wakeAncestors) await wake(context, parentSessionId, held, signal);
    const parent = context.agents.get(parentSessionId);
    if (parent === undefined) {
      throw subagentError('PARENT_UNAVAILABLE', `${what}: the parent ${parentSessionId} is not live.`);
    }
    if (!isExactLive(context, parent)) throw unauthorized();
    held.push(holdSlot(context, context.slots.of(parent)));
    return await (delivery === 'steer'
      ? steer(context, parent, childId, prompt)
      : queue(context, parent, childId, prompt));
  } finally {
    for (const hold of held) hold[Symbol.dispose]();
  }
}

function queue(
  context: Context,
  parent: Agent,
  childId: SessionId,
  { content, id, signal }: CheckedPrompt,
): Promise<MessageId> {
  const asker = {
    agent: parent,
    lineage: lineageOf(context, parent),
    authorize(slot: Slot) {
      if (slot.parentId !== parent.id) throw unauthorized();
    },
    approach: (lane: Parameters<typeof approachStored>[2]) => approachStored(context, parent, lane, what),
  };
  return context.lanes.deliver(
    asker,
    childId,
    (slot) =>
      admit(context, { slot, parent, signal, what }, (child) =>
        child.followup({ id, content, source: { kind: 'user' } }),
      ),
    signal,
  );
}

/** Strictly into a live child: it is neither queued nor resumed. */
function steer(
  context: Context,
  parent: Agent,
  childId: SessionId,
  { content, id, signal }: CheckedPrompt,
): MessageId {
  const slot = context.slots.get(childId);
  if (slot?.parentId !== parent.id) throw unauthorized();
  return admit(context, { slot, parent, signal, what }, (child) =>
    child.steer({ id, content, source: { kind: 'user' } }),
  );
}

/** Makes absent managed ancestors resident, top-down from a live one, each held and without a message. */
async function wake(
  context: Context,
  id: SessionId,
  held: Disposable[],
  signal: AbortSignal | undefined,
): Promise<void> {
  const chain = [id, ...(await durableChain(context.sessions, id, { signal }))];
  const live = chain.findIndex((ancestor) => isResident(context, ancestor));
  const top = chain[live];
  if (top === undefined) throw subagentError('PARENT_UNAVAILABLE', `${what}: no ancestor of it is live.`);
  held.push(holdSlot(context, context.slots.get(top)));
  for (let index = live - 1; index >= 0; index -= 1) {
    const [childId, parentId] = [chain[index], chain[index + 1]];
    if (childId === undefined || parentId === undefined) continue;
    await wakeOne(context, childId, parentId, held, signal);
  }
}

/** Live, and neither on its way here nor about to leave. */
function isResident(context: Context, id: SessionId): boolean {
  if (context.agents.get(id) === undefined) return false;
  return (context.slots.get(id)?.phase ?? 'resident') === 'resident';
}

async function wakeOne(
  context: Context,
  childId: SessionId,
  parentId: SessionId,
  held: Disposable[],
  signal: AbortSignal | undefined,
): Promise<void> {
  for (;;) {
    const known = context.slots.get(childId);
    if (known !== undefined) {
      if (known.phase !== 'closing') await holdStart(context, known, known.started.promise, held, signal);
      if (known.phase === 'resident') return;
      await untilAborted(
        known.released.promise.catch(() => undefined),
        signal,
      );
      continue;
    }
    const descriptor = await readChild(context, childId, parentId, signal);
    if (context.slots.get(childId) !== undefined) continue;
    const parent = context.agents.get(parentId);
    if (parent === undefined)
      throw subagentError('PARENT_UNAVAILABLE', `${what}: the ancestor ${parentId} is not live.`);
    const slot = reserveStored(context, parent, childId, descriptor, what);
    await holdStart(context, slot, resumeStored(context, slot, descriptor), held, signal);
    return;
  }
}

/** Holds a slot from now on, and waits for its start for as long as the caller does. */
async function holdStart(
  context: Context,
  slot: Slot,
  start: Promise<void>,
  held: Disposable[],
  signal: AbortSignal | undefined,
): Promise<void> {
  const hold = holdSlot(context, slot);
  held.push(hold);
  try {
    await untilAborted(start, signal);
  } catch (error) {
    hold[Symbol.dispose]();
    giveUpUnwanted(slot);
    throw error;
  }
}
