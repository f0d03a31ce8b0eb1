import type { ToolCallBlock, ToolOutcome, TurnEndReason, UserMessage } from '@deepseek-ai/dsh-session';
import type { Agent, AgentStatus, Boundary, DiscardReason } from './agent.ts';
import type { ModelEvent } from './model.ts';

/** What an agent, and its registry for all agents, tells synchronously. A listener's exception is reported and stops nobody. */
export interface AgentEventMap {
  readonly 'agent/created': { readonly agent: Agent };
  readonly 'agent/disposed': { readonly agent: Agent };
  readonly 'agent/status': { readonly agent: Agent; readonly status: AgentStatus };
  readonly 'agent/inbox/enqueue': {
    readonly agent: Agent;
    readonly message: UserMessage;
    readonly boundary: Boundary;
    readonly wake: boolean;
  };
  /** After the claim: the message is in the log at `seq` and no longer in the inbox (A3). */
  readonly 'agent/inbox/dequeue': {
    readonly agent: Agent;
    readonly message: UserMessage;
    readonly turn: number;
    readonly step: number;
    readonly seq: number;
  };
  readonly 'agent/inbox/discard': {
    readonly agent: Agent;
    readonly message: UserMessage;
    readonly boundary: Boundary;
    readonly wake: boolean;
    readonly reason: DiscardReason;
  };
  readonly 'agent/turn/start': { readonly agent: Agent; readonly turn: number };
  readonly 'agent/turn/end': { readonly agent: Agent; readonly turn: number; readonly reason: TurnEndReason };
  /** Live deltas; the log holds the finished message. */
  readonly 'agent/stream': {
    readonly agent: Agent;
    readonly turn: number;
    readonly step: number;
    readonly event: ModelEvent;
  };
  readonly 'agent/tool/start': { readonly agent: Agent; readonly call: ToolCallBlock };
  readonly 'agent/tool/end': {
    readonly agent: Agent;
    readonly call: ToolCallBlock;
    readonly outcome: ToolOutcome;
  };
  readonly 'agent/retry': {
    readonly agent: Agent;
    readonly attempt: number;
    readonly delayMs: number;
    readonly error: Error;
  };
  readonly 'agent/error': { readonly agent: Agent; readonly error: Error };
}
