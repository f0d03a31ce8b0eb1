import type { Usage, SessionId } from '@deepseek-ai/dsh-session';
import type { Outcome } from './outcome.ts';

/** One residency epoch of a child, told at its start. */
export interface ActivationStarted {
  readonly runId: string;
  readonly childId: SessionId;
  readonly parentId: SessionId;
  readonly provider: string;
  readonly label: string;
  readonly mode: 'continuable' | 'one-shot';
  /** It was reconstructed from its stored Session. */
  readonly resumed: boolean;
}

export interface ActivationEnded extends ActivationStarted {
  readonly outcome: Outcome;
  /** The last non-empty assistant text of this epoch. */
  readonly output?: string;
  readonly usage?: Usage;
  /** Milliseconds. */
  readonly duration: number;
  readonly failure?: unknown;
}

export interface SubagentEventMap {
  readonly 'subagent/start': ActivationStarted;
  /** Always before the `subagent/start` of the child's next epoch (M29). */
  readonly 'subagent/end': ActivationEnded;
  /** Only parked messages keep it; a person or its parent has to write (M25). */
  readonly 'subagent/parked': ActivationStarted;
  readonly 'subagent/provider-added': { readonly name: string };
  readonly 'subagent/provider-removed': { readonly name: string };
}
