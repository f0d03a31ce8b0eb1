/**
 * Tells the parent how a one-shot child ended that nobody waited for.
 * I1. The run is disposed before its end is announced, so that its announcement is the last of it.
 * I2. A run that was aborted is not announced: nothing but a drain aborts it (T6).
 */
import type { Agent } from '@deepseek-ai/dsh-agent';
import { noticeSummary, noticeText, type SubagentResult, type SubagentRun } from '@deepseek-ai/dsh-subagents';

const maxCharacters = 16_000;

interface Announcement {
  readonly parent: Agent;
  readonly label: string;
}

/** Returns at once. */
export function announceEnd(run: SubagentRun, announcement: Announcement): void {
  // The run reports its own failures, and there is nobody else to hear of them.
  announceLater(run, announcement).catch(() => undefined);
}

async function announceLater(run: SubagentRun, { parent, label }: Announcement): Promise<void> {
  const result = await run.result.catch((): SubagentResult => ({ stopReason: 'error', output: '' }));
  await run.dispose().catch(() => undefined);
  const { stopReason: outcome, output } = result;
  if (outcome === 'aborted') return;
  const facts = { childId: run.id, label, outcome };
  try {
    parent.steer({
      content: noticeText({ ...facts, output, maxCharacters }),
      source: {
        kind: 'subagent-settled',
        form: 'notice',
        summary: noticeSummary(facts),
        childSessionId: run.id,
        // A one-shot child has one epoch only.
        runId: run.id,
        outcome,
      },
    });
  } catch {
    // The parent is gone or closing: an absent parent is no error (M35).
  }
}
