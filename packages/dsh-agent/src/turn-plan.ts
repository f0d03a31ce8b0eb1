/**
 * [pure] What the driver does after a step: another one, or the end of the turn and why (A5, A12, A18).
 */
import type { FinishReason, TurnEndReason } from '@deepseek-ai/dsh-session';
import type { CancelCause } from './agent.ts';

/** How a step went. */
export type StepResult =
  /** The model answered, and its calls have results. */
  | { readonly kind: 'answered'; readonly finish: FinishReason; readonly calls: number }
  /** Nothing was claimed, and nothing else asks for a request. */
  | { readonly kind: 'nothing' }
  | { readonly kind: 'ended'; readonly reason: TurnEndReason };

export interface TurnFacts {
  readonly result: StepResult;
  /** Why the turn was cancelled, if it was. */
  readonly aborted?: CancelCause | undefined;
  /** How many steps the turn has taken. */
  readonly steps: number;
  readonly stepLimit: number;
  readonly inbox: { readonly parked: boolean; readonly step: number; readonly turn: number };
}

export type TurnPlan =
  /** `onlyFor: 'claim'`: the step is there for what waits, and falls away if nothing can be claimed. */
  | { readonly kind: 'step'; readonly onlyFor: 'claim' | 'results' }
  | { readonly kind: 'end'; readonly reason: TurnEndReason };

export function planNext(facts: TurnFacts): TurnPlan {
  const { result, aborted } = facts;
  if (aborted !== undefined) return end({ kind: 'aborted', cause: aborted });
  if (result.kind === 'ended') return end(result.reason);
  if (result.kind === 'nothing') return end({ kind: 'completed' });
  if (result.finish === 'max-tokens') return end({ kind: 'max-tokens' });
  if (result.finish === 'refused') return end({ kind: 'refused' });
  if (result.calls > 0) {
    return facts.steps < facts.stepLimit ? { kind: 'step', onlyFor: 'results' } : end({ kind: 'max-steps' });
  }
  return mayExtend(facts) ? { kind: 'step', onlyFor: 'claim' } : end({ kind: 'completed' });
}

/** A5: what waits for a step boundary extends a turn that would end well, unless a turn of its own waits behind it. */
function mayExtend({ inbox, steps, stepLimit }: TurnFacts): boolean {
  return !inbox.parked && inbox.step > 0 && inbox.turn === 0 && steps < stepLimit;
}

function end(reason: TurnEndReason): TurnPlan {
  return { kind: 'end', reason };
}

/** The calls of such an answer are run. Others may be incomplete. */
export function runsCalls(finish: FinishReason): boolean {
  return finish !== 'max-tokens' && finish !== 'refused';
}
