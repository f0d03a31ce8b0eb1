import type { ToolCallBlock } from '@deepseek-ai/dsh-session';
import type { Agent, InboxEntry } from './agent.ts';
import type { ModelRequest } from './model.ts';
import type { ToolOutput } from './tool.ts';

/**
 * What `beforeStep` says of the proposed batch: claim these (of those proposed, perhaps with other content),
 * leave all and park, or discard all. To claim none is to defer.
 */
export type StepDecision =
  | { readonly kind: 'claim'; readonly entries: readonly InboxEntry[] }
  | { readonly kind: 'defer' }
  | { readonly kind: 'refuse' };

/** The host's say in the loop (A19). A hook that throws ends the turn with `error` and parks the inbox. */
export interface AgentHooks {
  /** Not called for a step that claims nothing. */
  beforeStep?(event: {
    readonly agent: Agent;
    readonly entries: readonly InboxEntry[];
    readonly signal: AbortSignal;
  }): StepDecision | undefined | Promise<StepDecision | undefined>;
  /** A code refuses the request: the turn ends with `budget` for `BUDGET`, else with `error` and that code. */
  beforeRequest?(event: {
    readonly agent: Agent;
    readonly request: ModelRequest;
    readonly signal: AbortSignal;
  }): { readonly refuse: string } | undefined | Promise<{ readonly refuse: string } | undefined>;
  /** An output takes the place of the call. */
  beforeToolCall?(event: {
    readonly agent: Agent;
    readonly call: ToolCallBlock;
    readonly signal: AbortSignal;
  }): ToolOutput | undefined | Promise<ToolOutput | undefined>;
  /** An output takes the place of the tool's. */
  afterToolCall?(event: {
    readonly agent: Agent;
    readonly call: ToolCallBlock;
    readonly output: ToolOutput;
  }): ToolOutput | undefined | Promise<ToolOutput | undefined>;
  /**
   * Asks somebody whether a tool that needs approval may run (A19). Without this hook such a call is denied at once.
   * Every hook that is there must say yes.
   */
  requestApproval?(event: {
    readonly agent: Agent;
    readonly call: ToolCallBlock;
    readonly signal: AbortSignal;
  }): boolean | Promise<boolean>;
}
