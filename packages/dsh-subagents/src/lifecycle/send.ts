/**
 * The one message operation between agents (M12 to M19).
 * I1. The sender is checked first, and its own Activation is held until the operation has ended.
 * I2. A refused call has held nothing else (M13).
 */
import type { Agent } from '@deepseek-ai/dsh-agent';
import type { ContentBlock, MessageId, SessionId } from '@deepseek-ai/dsh-session';
import { untilAborted } from '@dsh-internal/async';
import type { Slot } from '../activation/slot.ts';
import {
  admit,
  assertAdmitting,
  assertHops,
  isAgent,
  isExactLive,
  unauthorized,
} from '../admission/admit.ts';
import { invalid, readContent } from '../admission/start-request.ts';
import { reachableFrom } from '../admission/reachable.ts';
import { holdSlot, lineageOf, newMessageId, type Context } from '../context.ts';
import { SubagentError, subagentError } from '../errors.ts';
import type { AgentMessageSource } from '../source.ts';
import type { SubagentRuntime } from '../subagents.ts';
import { framedContent, parentUnavailableText, unauthorizedText } from '../wording.ts';
import { approachStored } from './resume.ts';

const what = 'Not delivered';
type SendOptions = NonNullable<Parameters<SubagentRuntime['sendMessage']>[3]>;

export async function sendMessage(
  context: Context,
  sender: Agent,
  targetId: SessionId,
  content: readonly ContentBlock[],
  { messageId, signal }: SendOptions,
): Promise<MessageId> {
  const own = isAgent(sender) ? context.slots.of(sender) : undefined;
  const held = holdSlot(context, own);
  try {
    signal?.throwIfAborted();
    if (!isExactLive(context, sender)) throw unauthorized();
    const input = { id: messageId ?? newMessageId(context), content: contentOf(sender, content) };
    assertAdmitting(context, sender, what);
    if (isParentOf(own, targetId)) return toParent(context, sender, own, input);
    return await toChild(context, sender, targetId, input, signal);
  } catch (error) {
    if (SubagentError.is(error) && error.code === 'UNAUTHORIZED')
      throw await refusal(context, sender, signal);
    throw error;
  } finally {
    held[Symbol.dispose]();
  }
}

/** Who has no Activation has no parent to write to. */
function isParentOf(own: Slot | undefined, targetId: SessionId): own is Slot {
  return own === undefined ? false : own.parentId === targetId;
}

interface Input {
  readonly id: MessageId;
  readonly content: readonly ContentBlock[];
}

function contentOf(sender: Agent, content: readonly ContentBlock[]): readonly ContentBlock[] {
  if (typeof content === 'string') throw invalid(what, 'a message is a list of content blocks');
  return framedContent(sender.id, readContent(content, what));
}

function sourceOf(context: Context, sender: Agent): AgentMessageSource {
  return {
    kind: 'agent-message',
    form: 'relay',
    senderSessionId: sender.id,
    hops: assertHops(context, sender, what),
  };
}

/** To the exact live parent, at once or not at all: it is never resumed and nothing is kept for it (M15). */
function toParent(context: Context, sender: Agent, own: Slot, input: Input): MessageId {
  // Until its task was accepted its start may be undone, and then it never was.
  if (own.phase === 'starting') throw unauthorized();
  const parent = context.agents.get(own.parentId);
  const parentSlot = context.slots.get(own.parentId);
  const gone =
    parent === undefined ||
    parent.status === 'closing' ||
    (parentSlot !== undefined && parentSlot.phase !== 'resident');
  if (gone) throw subagentError('PARENT_UNAVAILABLE', parentUnavailableText(own.parentId));
  return parent.steer({ ...input, source: sourceOf(context, sender) });
}

function toChild(
  context: Context,
  sender: Agent,
  targetId: SessionId,
  input: Input,
  signal: AbortSignal | undefined,
): Promise<MessageId> {
  const asker = {
    agent: sender,
    lineage: lineageOf(context, sender),
    authorize(slot: Slot) {
      if (slot.parentId !== sender.id) throw unauthorized();
    },
    approach: (lane: Parameters<typeof approachStored>[2]) => approachStored(context, sender, lane, what),
  };
  return context.lanes.deliver(
    asker,
    targetId,
    (slot) =>
      admit(context, { slot, parent: sender, signal, what }, (child) =>
        child.steer({ ...input, source: sourceOf(context, sender) }),
      ),
    signal,
  );
}

/**
 * The same for everything that is not adjacent, so that it tells nothing of the target (M12). Rejects with the reason of
 * `signal`. Whom the sender reaches is left out where that goes, or is drained, before the store has answered.
 */
export async function refusal(
  context: Context,
  sender: Agent,
  signal: AbortSignal | undefined,
): Promise<SubagentError> {
  const lineage = isAgent(sender) ? lineageOf(context, sender) : [];
  const wait = context.lanes.accompany({ agent: sender, lineage }, signal);
  const reachable = await untilAborted(reachableFrom(context, sender), wait.signal)
    .catch((error: unknown) => {
      if (!wait.signal.aborted || signal?.aborted === true) throw error;
      return [];
    })
    .finally(() => {
      wait[Symbol.dispose]();
    });
  return subagentError('UNAUTHORIZED', unauthorizedText(reachable), { reachable });
}
