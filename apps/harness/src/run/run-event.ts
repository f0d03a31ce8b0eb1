/** [pure] What a run tells, as plain data: one JSON object per line with `--json`. The names are kept. */
import type { ContentBlock, MessageSource, TurnEndReason, Usage } from '@deepseek-ai/dsh-session';

interface OfAgent {
  readonly agent: string;
  /** `root`, or the label of a child. */
  readonly label: string;
}

interface OfActivation {
  readonly child: string;
  readonly parent: string;
  readonly label: string;
  readonly provider: string;
  readonly mode: 'continuable' | 'one-shot';
  readonly runId: string;
  readonly resumed: boolean;
}

export type RunEvent =
  | {
      readonly type: 'run/start';
      readonly root: string;
      readonly store: string;
      readonly model: string;
      readonly resumed: boolean;
    }
  | (OfAgent & {
      readonly type: 'agent/inbox/enqueue';
      readonly messageId: string;
      readonly source: MessageSource;
      readonly content: readonly ContentBlock[];
      readonly boundary: 'turn' | 'step';
      readonly wake: boolean;
    })
  | (OfAgent & {
      readonly type: 'agent/inbox/dequeue';
      readonly messageId: string;
      readonly turn: number;
      readonly step: number;
      readonly seq: number;
    })
  | (OfAgent & { readonly type: 'agent/inbox/discard'; readonly messageId: string; readonly reason: string })
  | (OfAgent & {
      readonly type: 'agent/answer';
      readonly content: readonly ContentBlock[];
      readonly finish: string;
      readonly interrupted: boolean;
    })
  | (OfAgent & {
      readonly type: 'agent/turn/end';
      readonly turn: number;
      readonly reason: TurnEndReason;
      /** How many events of its log were durable at that moment. */
      readonly durable: number;
    })
  | (OfAgent & {
      readonly type: 'agent/retry';
      readonly attempt: number;
      readonly delayMs: number;
      readonly message: string;
    })
  | (OfAgent & { readonly type: 'agent/error'; readonly message: string })
  | (OfActivation & { readonly type: 'subagent/start' | 'subagent/parked' })
  | (OfActivation & {
      readonly type: 'subagent/end';
      readonly outcome: string;
      readonly output?: string;
      readonly usage?: Usage;
      readonly durationMs: number;
      readonly failure?: string;
    })
  /** The notice of an ending, on its way into the parent's inbox. */
  | (OfAgent & {
      readonly type: 'subagent/settled';
      readonly child: string;
      readonly runId: string;
      readonly outcome: string;
      readonly summary: string;
    })
  | { readonly type: 'diagnostic'; readonly code: string; readonly level: string; readonly message: string }
  | RunSummary;

/** The last line of every run. */
export interface RunSummary {
  readonly type: 'summary';
  readonly outcome: string;
  readonly exitCode: number;
  readonly root: string;
  readonly store: string;
  /** The last text of the root. */
  readonly answer?: string;
  /** How many turns of all agents have ended in this run. */
  readonly turns: number;
  /** How many Activations of children were started in this run. */
  readonly activations: number;
  /** Labels of children whose messages wait until somebody writes to them. */
  readonly parked: readonly string[];
  readonly usage: Usage;
}
