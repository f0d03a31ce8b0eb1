/**
 * The runtime's own word to the parent that an epoch has ended (M33 to M36).
 * I1. It is built from the slot alone, so it cannot name one child and describe another.
 * I2. Whether it wakes is decided when it is sent: under a closing lineage it wakes nobody.
 */
import type { Slot } from '../activation/slot.ts';
import { isLineageClosing } from '../admission/admit.ts';
import type { Context } from '../context.ts';
import type { Outcome } from '../outcome.ts';
import { noticeSummary, noticeText } from '../wording.ts';

export function notifyParent(
  context: Context,
  slot: Slot,
  outcome: Outcome,
  output: string | undefined,
): void {
  const parent = context.agents.get(slot.parentId);
  const child = slot.handle?.agent;
  if (parent === undefined || child === undefined) return;
  const { childId, label, runId } = slot;
  const hops = context.hops.next(child);
  const text = noticeText({
    childId,
    label,
    outcome,
    output,
    maxCharacters: context.policy.noticeCharacters,
  });
  const summary = noticeSummary({ childId, label, outcome });
  const quiet =
    context.gate.closedOver(slot.chain) || isLineageClosing(context, parent) || hops > context.policy.maxHops;
  const message = {
    content: text,
    source: {
      kind: 'subagent-settled',
      form: 'notice',
      summary,
      childSessionId: childId,
      runId,
      outcome,
      hops,
    },
  } as const;
  try {
    if (quiet) parent.inject(message);
    else parent.steer(message);
  } catch (cause) {
    context.report({
      code: 'notice-not-delivered',
      level: 'warning',
      message: `${slot.parentId} was not told that ${summary}.`,
      sessionId: slot.parentId,
      cause,
    });
  }
}
