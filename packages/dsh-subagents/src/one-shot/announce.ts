/**
 * Tells a parent how a one-shot child ended that nobody waits for (T6).
 * Owns: the run, from its acceptance to its disposal.
 * I1. The run is disposed before its end is told, and the parent is kept until it was told.
 * I2. A run that was aborted is not told of, and after a drain none is.
 * I3. Until then the tree is not quiescent: a notice is on its way.
 */
import type { Agent } from '@deepseek-ai/dsh-agent';
import { holdSlot, lineageOf, type Context } from '../context.ts';
import { sendNotice } from '../lifecycle/notify.ts';
import type { SubagentResult, SubagentRun } from '../provider.ts';

export interface Announcement {
  readonly parent: Agent;
  readonly label: string;
  /** Of the notice. */
  readonly hops: number;
}

/** Never rejects for what becomes of the run: nobody waits for it. */
export async function announceEnd(
  context: Context,
  run: SubagentRun,
  { parent, label, hops }: Announcement,
): Promise<void> {
  const chain = lineageOf(context, parent);
  const held = holdSlot(context, context.slots.of(parent));
  context.announcing.add(chain);
  try {
    const { stopReason: outcome, output } = await resultOf(run);
    await disposed(context, run);
    if (outcome === 'aborted' || context.gate.closedOver(chain)) return;
    // A one-shot child has one epoch only.
    const child = { childId: run.id, runId: run.id, label };
    sendNotice(context, { ...child, parentId: parent.id, chain, outcome, output, hops });
  } finally {
    context.announcing.delete(chain);
    held[Symbol.dispose]();
    context.changed();
  }
}

async function resultOf(run: SubagentRun): Promise<SubagentResult> {
  try {
    return await run.result;
  } catch {
    return { stopReason: 'error', output: '' };
  }
}

/** Never rejects. */
export async function disposed({ report }: Context, run: SubagentRun): Promise<void> {
  try {
    await run.dispose();
  } catch (cause) {
    report({
      code: 'one-shot-not-disposed',
      level: 'warning',
      message: `Not all of the one-shot child ${run.id} could be ended.`,
      sessionId: run.id,
      cause,
    });
  }
}
