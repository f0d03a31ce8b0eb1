/**
 * [pure] The messages that a one-shot agent gets, and what its run comes to.
 */
import type { ContentBlock, JsonValue, MessageSource } from '@deepseek-ai/dsh-session';
import type { EpochOutput } from '../notice/outcome.ts';
import type { Outcome } from '../outcome.ts';
import type { OneShotRequest, SubagentResult } from '../provider.ts';
import { deliveryText, forkTaskText } from '../wording.ts';

export function taskSource({
  parent,
  label,
  hops,
}: OneShotRequest & { readonly hops: number }): MessageSource {
  return { kind: 'delegated-task', form: 'task', senderSessionId: parent.id, label, hops };
}

export function taskContent(request: OneShotRequest, forked: boolean): readonly ContentBlock[] {
  const texts = [
    ...(forked ? [forkTaskText()] : []),
    request.prompt,
    ...(request.outputSchema === undefined ? [] : [deliveryText()]),
  ];
  return texts.map((text) => ({ type: 'text', text }));
}

/** A run that was to deliver a structured result and did not has failed, however its turn ended. */
export function resultOf(
  outcome: Outcome,
  { output, usage }: EpochOutput,
  structured: { readonly wanted: boolean; readonly value: JsonValue | undefined },
): SubagentResult {
  const missed = outcome === 'completed' && structured.wanted && structured.value === undefined;
  return {
    stopReason: missed ? 'error' : stopReasonOf(outcome),
    output: output ?? '',
    ...(structured.value === undefined ? {} : { structured: structured.value }),
    ...(usage === undefined ? {} : { usage }),
  };
}

function stopReasonOf(outcome: Outcome): SubagentResult['stopReason'] {
  return outcome === 'fenced' || outcome === 'teardown-failed' ? 'error' : outcome;
}
