import type { ToolCallBlock, ToolOutcome, TurnEndReason, UserMessage } from '@deepseek-ai/dsh-session';
import type { Agent, AgentStatus, Boundary, DiscardReason } from './agent.ts';
import type { ModelEvent } from './model.ts';

/** What an agent, and its registry for all agents, tells synchronously. A listener's exception is reported and stops nobody. */
export interface AgentEventMap {
  /** It can be found from now on. */
  readonly 'agent/created': { readonly agent: Agent };
  /** It is gone: nothing finds it, and its place is free or about to be (A23). */
  readonly 'agent/disposed': { readonly agent: Agent };
  /** Its status has changed (A9). */
  readonly 'agent/status': { readonly agent: Agent; readonly status: AgentStatus };
  /** Accepted, before anything can claim it (A9). */
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
  /** Accepted, and it will never be in the log as a message. */
  readonly 'agent/inbox/discard': {
    readonly agent: Agent;
    readonly message: UserMessage;
    readonly boundary: Boundary;
    readonly wake: boolean;
    readonly reason: DiscardReason;
  };
  /** `turn/start` is in the log. */
  readonly 'agent/turn/start': { readonly agent: Agent; readonly turn: number };
  /** `turn/end` is in the log. */
  readonly 'agent/turn/end': { readonly agent: Agent; readonly turn: number; readonly reason: TurnEndReason };
  /** Live deltas; the log holds the finished message. */
  readonly 'agent/stream': {
    readonly agent: Agent;
    readonly turn: number;
    readonly step: number;
    readonly event: ModelEvent;
  };
  /** The body of a tool is about to run. */
  readonly 'agent/tool/start': { readonly agent: Agent; readonly call: ToolCallBlock };
  /** The result of a call is in the log. */
  readonly 'agent/tool/end': {
    readonly agent: Agent;
    readonly call: ToolCallBlock;
    readonly outcome: ToolOutcome;
  };
  /** A model is asked again after `delayMs` milliseconds; `attempt` counts from 1 (A15). */
  readonly 'agent/retry': {
    readonly agent: Agent;
    readonly attempt: number;
    readonly delayMs: number;
    readonly error: Error;
  };
  /** A turn has ended with `error`, or something of this agent went wrong that nobody waits for. */
  readonly 'agent/error': { readonly agent: Agent; readonly error: Error };
}
