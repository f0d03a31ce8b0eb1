import type {
  ContentBlock,
  MessageId,
  MessageSource,
  Registration,
  Session,
  SessionId,
  UserMessage,
  WaitOptions,
} from '@deepseek-ai/dsh-session';
import type { AgentEventMap } from './events.ts';
import type { ToolFilter } from './tool.ts';

/**
 * Why a turn is cancelled or an agent stopped. Of an object its code alone is kept, in the log too; a value that is
 * neither a text nor has a code counts as `UNKNOWN_CAUSE`.
 */
export type CancelCause =
  'user' | 'parent' | 'drain' | 'settled' | 'disposed' | 'budget' | { readonly code: string };
/** Why an accepted message never reached the log. */
export type DiscardReason = 'cancelled' | 'removed' | 'cleared' | 'refused' | 'disposed';
/** When an entry may be claimed: at a turn's start, or at any step boundary. */
export type Boundary = 'turn' | 'step';
/** `running` until no waking work is left; `closing` from `stop` on, for good (A9, A23). */
export type AgentStatus = 'idle' | 'running' | 'closing';

/** A message on its way into the inbox. Content is validated and copied at once. */
export interface MessageInput {
  /** A string is one text block. */
  readonly content: string | readonly ContentBlock[];
  /** Who it comes from, as the program says. */
  readonly source: MessageSource;
  /**
   * The same id again is answered with itself and accepted only once: while it waits, and while it is among the last
   * 1,000 that this Session consumed or discarded. What a process-local inbox discarded is forgotten with the process.
   * One that comes again before the log could be read, or later than that, leaves with a discard `removed`.
   */
  readonly id?: MessageId;
}

/** One message that was accepted and not yet claimed. */
export interface InboxEntry {
  /** As the log will hold it. */
  readonly message: UserMessage;
  /** When it may be claimed. */
  readonly boundary: Boundary;
  /** It starts work in an idle agent. */
  readonly wake: boolean;
}

/** The agent's only queue, looked at from outside. */
export interface InboxView {
  /** In acceptance order. */
  list(): readonly InboxEntry[];
  /** Nothing is claimed until a waking entry is accepted or `unpark` is called (A20). */
  readonly parked: boolean;
  /** Acceptance, claim and discard are logged: what waits is there again after a resume (A31). */
  readonly durable: boolean;
  /** Discards one pending entry with reason `removed`; `false` where it does not wait. */
  remove(id: MessageId): boolean;
  /** Discards all pending entries with reason `cleared`. */
  clear(): readonly MessageId[];
}

/** What a cancel touched, by id (A20). */
export interface CancelReceipt {
  /** The ordinal of the turn that was aborted. */
  readonly turn?: number;
  /** What waits on, parked. */
  readonly kept: readonly MessageId[];
  /** What was discarded, each with its event. */
  readonly discarded: readonly MessageId[];
}

/** What a stop met. */
export interface StopReceipt {
  /** The ordinal of the turn that was aborted. */
  readonly turn?: number;
  /** What waited in the inbox at that moment. */
  readonly pending: readonly MessageId[];
}

/** What became of a message, as far as this agent knows (the last 1,000 of them). */
export type MessageOutcome =
  'waiting' | { readonly logged: number } | { readonly discarded: DiscardReason } | 'unknown';

/** What an agent runs with. */
export interface EffectiveOptions {
  /** A route of the registry's `models`. */
  readonly model: string;
  /** How much the model is to think, in its provider's words. */
  readonly effort?: string;
  /** The system prompt. */
  readonly system?: string;
  /** What of the inherited tools it may see. */
  readonly toolFilter?: ToolFilter;
}

/** The live object that drives one Session. */
export interface Agent {
  /** The Session's id. */
  readonly id: SessionId;
  /** The log that it drives. */
  readonly session: Session;
  /** What it runs with. Changed by a resume alone. */
  readonly options: EffectiveOptions;
  /** What waits. */
  readonly inbox: InboxView;
  /** What it is doing. */
  readonly status: AgentStatus;
  /**
   * Accepts a message as a later turn of its own; wakes (A1, A2).
   * Throws `AGENT_CLOSING`, `AGENT_DISPOSED`, `INBOX_FULL`, `INVALID_MESSAGE`, and with a durable inbox
   * `ACCEPT_FAILED` where the log takes nothing; nothing is inserted then.
   */
  followup(input: MessageInput): MessageId;
  /** Accepts a message for the nearest step boundary; wakes. Throws like {@link followup}. */
  steer(input: MessageInput): MessageId;
  /** Accepts a message for the nearest step boundary; wakes nobody, and works on a stopped agent too. */
  inject(input: MessageInput): MessageId;
  /** Aborts the turn under way and discards what waits, or with `keepInbox` parks it (A20). */
  cancel(cause: CancelCause, options?: { readonly keepInbox?: boolean }): CancelReceipt;
  /** Takes the mark of a parked inbox away. */
  unpark(): void;
  /** Resolves when everything that wakes has been worked off (A10). Rejects only by its signal. */
  whenIdle(options?: WaitOptions): Promise<void>;
  /** What became of a message. Asks the inbox, the log and the discards that are remembered. */
  outcome(id: MessageId): MessageOutcome;
  /**
   * Resolves when the acceptance of a message is durable: from then on a crash does not lose it (A31).
   * Rejects `INBOX_NOT_DURABLE` where the inbox is the process's own, `UNKNOWN_MESSAGE` for an id that
   * {@link outcome} does not know, and as the store does where the log cannot be written; asking again is allowed.
   * The signal ends the waiting alone.
   */
  accepted(id: MessageId, options?: WaitOptions): Promise<void>;
  /** Hears this agent's events of that type from now on. */
  on<K extends keyof AgentEventMap>(type: K, listener: (event: AgentEventMap[K]) => void): Registration;
}

/** What becomes of the messages that wait when an agent is disposed (A24). */
export type Pending = 'discard' | 'keep';

/** What the creator of an agent holds; the only thing that can stop and dispose it. */
export interface AgentHandle extends AsyncDisposable {
  /** The agent that it stands for. */
  readonly agent: Agent;
  /** Lets an agent that was made with `start: 'held'` run. */
  start(): void;
  /** Synchronous, final, idempotent: no turn, step, retry or tool starts any more (A23). */
  stop(cause: CancelCause): StopReceipt;
  /**
   * Memoized; always settles; the agent is gone afterwards (A23). Failures are reported, not thrown.
   * `keep` leaves what waits in a durable inbox for the next resume, and is the default there; without one
   * everything is discarded (A24).
   */
  dispose(options?: { readonly pending?: Pending }): Promise<void>;
  /**
   * The last resort of a caller whose own deadline has passed (A23): synchronous, and it waits for nothing. The agent
   * is stopped, nothing of it reaches the log any more, nobody finds it, `agent/disposed` is told. A turn that it
   * leaves open is closed by the next resume. The writer's place is given back in the background; what did not stop
   * is reported. `dispose` then resolves when that is over, and in bounded time.
   */
  abandon(): void;
}
