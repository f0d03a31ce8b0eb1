/**
 * [pure] How an epoch ended and what it left (M33).
 */
import type { AssistantMessage, SessionEvent, TurnEndReason, Usage } from '@deepseek-ai/dsh-session';
import type { Outcome } from '../outcome.ts';

export interface EpochFacts {
  /** Of the last turn of this epoch. */
  readonly lastTurnEnd: TurnEndReason | undefined;
  /** Accepted work was discarded after that turn. */
  readonly discardedAfter: boolean;
  /** The writer's place was lost. */
  readonly fenced: boolean;
  /** The teardown failed. */
  readonly failed: boolean;
}

export function outcomeOf({ lastTurnEnd, discardedAfter, fenced, failed }: EpochFacts): Outcome {
  if (failed) return 'teardown-failed';
  if (fenced) return 'fenced';
  if (discardedAfter || lastTurnEnd === undefined) return 'aborted';
  return lastTurnEnd.kind === 'interrupted' ? 'aborted' : lastTurnEnd.kind;
}

export interface EpochOutput {
  /** The last assistant text that is not blank. */
  readonly output?: string;
  /** Of all its answers together. */
  readonly usage?: Usage;
}

/** What the events from seq `from` on hold. */
export function epochOutput(events: readonly SessionEvent[], from: number): EpochOutput {
  let output: string | undefined;
  let usage: Usage | undefined;
  for (const event of events) {
    if (event.seq < from || event.type !== 'assistant/message') continue;
    const text = textOf(event.data);
    if (text.trim() !== '') output = text;
    if (event.data.usage !== undefined) usage = addUsage(usage, event.data.usage);
  }
  return { ...(output === undefined ? {} : { output }), ...(usage === undefined ? {} : { usage }) };
}

function textOf(message: AssistantMessage): string {
  return message.content.map((block) => (block.type === 'text' ? block.text : '')).join('');
}

/** The sum of two. A member that neither has stays absent. */
export function addUsage(first: Usage | undefined, second: Usage): Usage {
  if (first === undefined) return second;
  const cached = plus(first.cachedInputTokens, second.cachedInputTokens);
  const reasoning = plus(first.reasoningTokens, second.reasoningTokens);
  return {
    inputTokens: first.inputTokens + second.inputTokens,
    outputTokens: first.outputTokens + second.outputTokens,
    ...(cached === undefined ? {} : { cachedInputTokens: cached }),
    ...(reasoning === undefined ? {} : { reasoningTokens: reasoning }),
  };
}

function plus(first: number | undefined, second: number | undefined): number | undefined {
  return first === undefined && second === undefined ? undefined : (first ?? 0) + (second ?? 0);
}
