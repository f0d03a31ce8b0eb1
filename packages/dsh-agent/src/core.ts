/**
 * What the parts of one agent share. Each part reads what it needs; the few things that change have one owner each:
 * the phase and the current turn (create-agent), the inbox (inbox).
 */
import type { Clock, Diagnostic, MessageId, Session, SessionStore } from '@deepseek-ai/dsh-session';
import type { Agent, CancelCause, EffectiveOptions } from './agent.ts';
import type { AgentEventMap } from './events.ts';
import type { HistoryGate } from './history-gate.ts';
import type { HookChain } from './hook-chain.ts';
import type { Inbox } from './inbox.ts';
import type { ModelLimiter } from './limiter.ts';
import type { Model } from './model.ts';
import type { Phase, PhaseEvent } from './phase.ts';
import type { AgentLimits } from './registry.ts';
import type { RequestHeaders } from './request.ts';
import type { ToolRegistry } from './tool.ts';

/** The services that all agents of a registry share. */
export interface RegistryServices {
  readonly sessions: SessionStore;
  readonly models: (route: string) => Model | undefined;
  readonly tools: ToolRegistry;
  readonly limits: Required<AgentLimits>;
  readonly limiter: ModelLimiter;
  readonly checkpoint: 'turn' | 'step';
  readonly clock: Clock;
  readonly random: () => number;
  readonly newMessageId: () => MessageId;
  report(diagnostic: Diagnostic): void;
  /** Tells the listeners of the registry. */
  publish<K extends keyof AgentEventMap>(type: K, event: AgentEventMap[K]): void;
}

/** The turn under way. */
export interface CurrentTurn {
  readonly ordinal: number;
  readonly signal: AbortSignal;
  /** Set once, by the first abort. */
  readonly cause: CancelCause | undefined;
  /** Something was claimed: the turn has done what woke it. */
  claimed: boolean;
  abort(cause: CancelCause): void;
}

export interface AgentCore {
  readonly services: RegistryServices;
  readonly agent: Agent;
  readonly session: Session;
  readonly options: EffectiveOptions;
  readonly hooks: HookChain;
  readonly inbox: Inbox;
  readonly headers: RequestHeaders;
  readonly history: HistoryGate;
  readonly phase: Phase;
  turn: CurrentTurn | undefined;
  enter(event: PhaseEvent): void;
  /** Begins a driver if one is due. */
  poke(): void;
  /** Tells the listeners of the agent, then those of the registry. */
  emit<K extends keyof AgentEventMap>(type: K, event: Omit<AgentEventMap[K], 'agent'>): void;
  /** Tells the status if it is another one than what was told last. */
  tellStatus(): void;
  report(code: string, level: Diagnostic['level'], message: string, cause?: unknown): void;
}

/** A look of its own: the compiler takes an earlier look to hold after an await. */
export function isAborted(signal: AbortSignal): boolean {
  return signal.aborted;
}
