/** What a schedule is seen to do: the alphabet of the invariants. */
import type {
  Agent,
  AgentEventMap,
  AgentStatus,
  Boundary,
  CancelReceipt,
  ModelRequest,
} from '@deepseek-ai/dsh-agent';
import type {
  Diagnostic,
  MessageId,
  SessionEvent,
  SessionId,
  TurnEndReason,
  UserMessage,
} from '@deepseek-ai/dsh-session';
import type { Called, Invariant as InvariantOf } from '@dsh-internal/schedule-testing';

interface Of {
  readonly agent: Agent;
}

/** What an operation of the test was asked with. */
export interface Asked {
  readonly kind: string;
  readonly agent?: Agent | undefined;
  readonly messageId?: MessageId | undefined;
}

export type Happening =
  | ({ readonly at: 'created' | 'disposed' | 'stopped' | 'unparked' } & Of)
  /** `loaded`: its log, which holds these `events`, was in memory already. */
  | ({ readonly at: 'made'; readonly events: readonly SessionEvent[]; readonly loaded: boolean } & Of)
  | ({ readonly at: 'status'; readonly status: AgentStatus } & Of)
  | ({
      readonly at: 'enqueue';
      readonly message: UserMessage;
      readonly boundary: Boundary;
      readonly wake: boolean;
    } & Of)
  | ({
      readonly at: 'dequeue';
      readonly message: UserMessage;
      readonly turn: number;
      readonly step: number;
      readonly seq: number;
    } & Of)
  | ({
      readonly at: 'discard';
      readonly message: UserMessage;
      readonly reason: AgentEventMap['agent/inbox/discard']['reason'];
    } & Of)
  | ({ readonly at: 'turn-start'; readonly turn: number } & Of)
  | ({ readonly at: 'turn-end'; readonly turn: number; readonly reason: TurnEndReason } & Of)
  | ({ readonly at: 'tool-start' | 'tool-end'; readonly callId: string; readonly name: string } & Of)
  /** The bodies of a model and of a tool, while they run. */
  | ({ readonly at: 'request'; readonly request: ModelRequest } & Of)
  | ({ readonly at: 'request-end' } & Of)
  | ({ readonly at: 'body' | 'body-end'; readonly callId: string; readonly name: string } & Of)
  | ({ readonly at: 'aborted'; readonly turn: number } & Of)
  | ({
      readonly at: 'cancel';
      readonly user: boolean;
      readonly keep: boolean;
      readonly turn: boolean;
      readonly waiting: readonly MessageId[];
    } & Of)
  | ({
      readonly at: 'cancelled';
      readonly keep: boolean;
      readonly receipt: CancelReceipt;
      readonly alone: boolean;
    } & Of)
  | ({ readonly at: 'log'; readonly event: SessionEvent } & Of)
  | { readonly at: 'hook'; readonly agent: Agent; readonly parks: boolean }
  | Called<Asked>
  | { readonly at: 'lost'; readonly id: SessionId }
  | { readonly at: 'diagnostic'; readonly diagnostic: Diagnostic }
  | { readonly at: 'crash' };

export type Invariant = InvariantOf<Happening>;
