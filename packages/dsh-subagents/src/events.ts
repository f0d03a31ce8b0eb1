import type { Usage, SessionId } from '@deepseek-ai/dsh-session';
import type { Outcome } from './outcome.ts';

/** One residency epoch of a child, told at its start. */
export interface ActivationStarted {
  /** Of this Activation alone. */
  readonly runId: string;
  /** Its Session, the same in every Activation. */
  readonly childId: SessionId;
  /** Its durable direct parent. */
  readonly parentId: SessionId;
  /** The name of the provider that made it. After a resume it is provenance alone (M20). */
  readonly provider: string;
  /** A short name for people. */
  readonly label: string;
  /** Whether it can be written to. */
  readonly mode: 'continuable' | 'one-shot';
  /** It was reconstructed from its stored Session. */
  readonly resumed: boolean;
}

/** The same epoch, told at its end. */
export interface ActivationEnded extends ActivationStarted {
  /** How it ended, in one word (M33). */
  readonly outcome: Outcome;
  /** The last non-empty assistant text of this epoch. */
  readonly output?: string;
  /** Tokens of this epoch, where its model said. */
  readonly usage?: Usage;
  /** Milliseconds. */
  readonly duration: number;
  /** Why not all of it could be ended; with the outcome `teardown-failed` alone. */
  readonly failure?: unknown;
}

/** The events of the runtime, by type. */
export interface SubagentEventMap {
  /** A child is in memory and about to read what was accepted for it. */
  readonly 'subagent/start': ActivationStarted;
  /** Always before the `subagent/start` of the child's next epoch (M29). */
  readonly 'subagent/end': ActivationEnded;
  /** Only parked messages keep it; a person or its parent has to write (M25). */
  readonly 'subagent/parked': ActivationStarted;
  /** A provider was registered. */
  readonly 'subagent/provider-added': { readonly name: string };
  /** The registration of a provider was disposed. Running children are not touched. */
  readonly 'subagent/provider-removed': { readonly name: string };
}
