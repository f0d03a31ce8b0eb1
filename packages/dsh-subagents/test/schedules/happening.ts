/** What a schedule is seen to do: the alphabet of the invariants. */
import type { Agent, AgentEventMap, AgentStatus, Boundary } from '@deepseek-ai/dsh-agent';
import type {
  Diagnostic,
  MessageId,
  Session,
  SessionEvent,
  SessionId,
  TurnEndReason,
  UserMessage,
} from '@deepseek-ai/dsh-session';
import type {
  Called,
  Invariant as InvariantOf,
  Operation as OperationOf,
} from '@dsh-internal/schedule-testing';
import type { ActivationEnded, ActivationStarted } from '../../src/index.ts';

/** What an operation of the test was asked with. */
export interface Asked {
  readonly kind: string;
  /** The agent that asks, or in whose name is asked. */
  readonly asker?: Agent | undefined;
  readonly targetId?: SessionId | undefined;
  /** The parent that a host presents. */
  readonly parentId?: SessionId | undefined;
  readonly messageId?: MessageId | undefined;
  readonly signal?: AbortSignal | undefined;
}
export type Operation = OperationOf<Asked>;

/** Whom a call of the host or a fault ends: all, what is below some, or some and what is below them. */
export interface Stop {
  readonly scope: 'all' | 'below' | 'at';
  readonly ids: readonly SessionId[];
  /** Admission below stays closed while these exact agents live. */
  readonly gates: readonly Agent[];
}

export type Happening =
  | { readonly at: 'created' | 'disposed' | 'person-parks' | 'person-unparks'; readonly agent: Agent }
  | { readonly at: 'status'; readonly agent: Agent; readonly status: AgentStatus }
  | {
      readonly at: 'enqueue';
      readonly agent: Agent;
      readonly message: UserMessage;
      readonly boundary: Boundary;
      readonly wake: boolean;
    }
  | {
      readonly at: 'dequeue';
      readonly agent: Agent;
      readonly message: UserMessage;
      readonly turn: number;
      readonly step: number;
    }
  | {
      readonly at: 'discard';
      readonly agent: Agent;
      readonly message: UserMessage;
      readonly wake: boolean;
      readonly reason: AgentEventMap['agent/inbox/discard']['reason'];
    }
  | { readonly at: 'turn-start'; readonly agent: Agent; readonly turn: number }
  | { readonly at: 'turn-end'; readonly agent: Agent; readonly turn: number; readonly reason: TurnEndReason }
  | { readonly at: 'tool'; readonly agent: Agent }
  | { readonly at: 'log'; readonly session: Session; readonly event: SessionEvent }
  | { readonly at: 'request'; readonly id: SessionId; readonly agent: Agent | undefined }
  | { readonly at: 'aborted'; readonly agent: Agent; readonly turn: number }
  | { readonly at: 'epoch-start' | 'parked'; readonly epoch: ActivationStarted }
  | { readonly at: 'epoch-end'; readonly epoch: ActivationEnded }
  | Called<Asked>
  | { readonly at: 'stop'; readonly stop: Stop }
  | { readonly at: 'cancel'; readonly agent: Agent; readonly kept: boolean }
  | { readonly at: 'diagnostic'; readonly diagnostic: Diagnostic }
  /** Nothing else goes on but what takes longest. */
  | { readonly at: 'crash' | 'lull' };

export type Invariant = InvariantOf<Happening>;
