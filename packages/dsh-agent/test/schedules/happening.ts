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

interface Of {
  readonly agent: Agent;
}

/** An asynchronous call of the test, from the call to its answer. */
export interface Operation {
  readonly kind: string;
  readonly program: number;
  readonly agent?: Agent | undefined;
  readonly messageId?: MessageId | undefined;
  state: 'open' | 'done' | 'refused';
  error?: unknown;
}

export type Happening =
  | ({ readonly at: 'made' | 'created' | 'disposed' | 'stopped' | 'unparked' } & Of)
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
  | { readonly at: 'call' | 'answer'; readonly operation: Operation }
  | { readonly at: 'lost'; readonly id: SessionId }
  | { readonly at: 'diagnostic'; readonly diagnostic: Diagnostic }
  | { readonly at: 'crash' };

/** One promise of the product, looked at while a schedule runs and at its end. */
export interface Invariant {
  see?(happening: Happening): void;
  /** Nothing is left to pick, and nothing was disposed yet by the end of the schedule. */
  rest?(): void;
  /** Everything was disposed, and nothing is left to pick. */
  end?(): void | Promise<void>;
}
