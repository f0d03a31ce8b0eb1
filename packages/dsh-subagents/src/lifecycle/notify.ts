/**
 * The runtime's own word to a parent that a child has ended (M33 to M36).
 * I1. It is built from the slot alone, so it cannot name one child and describe another.
 * I2. Whether it wakes is decided when it is sent: under a closing lineage it wakes nobody.
 */
import type { SessionId } from '@deepseek-ai/dsh-session';
import type { Slot } from '../activation/slot.ts';
import { isLineageClosing } from '../admission/admit.ts';
import type { Context } from '../context.ts';
import type { Outcome } from '../outcome.ts';
import { noticeSummary, noticeText } from '../wording.ts';

/** What is told of one end, and to whom. */
export interface Notice {
  readonly parentId: SessionId;
  /** Ids from the parent upward. */
  readonly chain: readonly SessionId[];
  readonly childId: SessionId;
  readonly runId: string;
  readonly label: string;
  readonly outcome: Outcome;
  readonly output: string | undefined;
  readonly hops: number;
}

export function notifyParent(
  context: Context,
  slot: Slot,
  outcome: Outcome,
  output: string | undefined,
): void {
  const child = slot.handle?.agent;
  if (child === undefined) return;
  const { parentId, chain, childId, runId, label } = slot;
  const hops = context.hops.next(child);
  sendNotice(context, { parentId, chain, childId, runId, label, outcome, output, hops });
}

/** An absent parent is no error. */
export function sendNotice(
  context: Context,
  { parentId, chain, childId, runId, label, outcome, output, hops }: Notice,
): void {
  const parent = context.agents.get(parentId);
  if (parent === undefined) return;
  const { noticeCharacters: maxCharacters, maxHops } = context.policy;
  const summary = noticeSummary({ childId, label, outcome });
  const quiet = context.gate.closedOver(chain) || isLineageClosing(context, parent) || hops > maxHops;
  const message = {
    content: noticeText({ childId, label, outcome, output, maxCharacters }),
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
      message: `${parentId} was not told that ${summary}.`,
      sessionId: parentId,
      cause,
    });
  }
}
