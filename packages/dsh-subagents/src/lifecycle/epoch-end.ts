import type { Usage } from '@deepseek-ai/dsh-session';
import type { Slot } from '../activation/slot.ts';
import type { Context } from '../context.ts';
import { epochOutput, outcomeOf } from '../notice/outcome.ts';
import type { Outcome } from '../outcome.ts';

export interface EpochEnd {
  readonly outcome: Outcome;
  readonly output?: string;
  readonly usage?: Usage;
}

/** What the epoch came to, recorded in the child's own log while that can still be written (M33). */
export function captureEnd(context: Context, slot: Slot): EpochEnd | undefined {
  const agent = slot.handle?.agent;
  if (agent === undefined || !slot.accepted) return undefined;
  const dropped = !agent.inbox.durable && agent.inbox.list().some((entry) => entry.wake);
  const outcome = outcomeOf({
    lastTurnEnd: slot.lastTurnEnd,
    discardedAfter: slot.discardedAfter === agent.session.turns || dropped,
    fenced: slot.closing?.cause === 'fenced',
    failed: false,
  });
  try {
    const end = { outcome, ...epochOutput(agent.session.events(slot.firstSeq), slot.firstSeq) };
    if (!agent.session.sealed) {
      const duration = context.clock.now() - slot.reservedAt;
      agent.session.append('subagent/ended', { runId: slot.runId, ...end, duration });
    }
    return end;
  } catch (cause) {
    context.report({
      code: 'end-not-recorded',
      level: 'warning',
      message: `The log of ${slot.childId} does not say how its last Activation ended.`,
      sessionId: slot.childId,
      cause,
    });
    return { outcome };
  }
}
