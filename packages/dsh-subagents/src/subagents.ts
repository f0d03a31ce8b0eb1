import type { Agent, AgentHandle, CancelReceipt, ToolFilter } from '@deepseek-ai/dsh-agent';
import type {
  ContentBlock,
  MessageId,
  Registration,
  SessionId,
  SessionRecord,
  Usage,
  WaitOptions,
} from '@deepseek-ai/dsh-session';
import type { SubagentEventMap } from './events.ts';
import type { Outcome } from './outcome.ts';
import type { OneShotRequest, SubagentProvider, SubagentRun } from './provider.ts';

/** What a child is to do, and what it gets of its parent (M1). */
export interface StartRequest {
  /** The task. Empty: `INVALID_REQUEST`. It is copied, so later changes of the caller do not reach it. */
  readonly prompt: string | readonly ContentBlock[];
  /** The exact live agent that delegates. */
  readonly parent: Agent;
  /** A route of the program's models. Default: the parent's. */
  readonly model?: string;
  /** Narrows the host's depth limit for this child. */
  readonly maxDepth?: number;
  /** Narrows what the child inherits; it never widens (M11). */
  readonly toolFilter?: ToolFilter;
  /** Added to the default system prompt. */
  readonly persona?: string;
}

/** The argument of {@link SubagentRuntime.startContinuable}. `signal` rules until the task is accepted (M3). */
export interface StartContinuable extends WaitOptions {
  /** A registered provider that has `prepareContinuable`: `NO_PROVIDER`, `UNSUPPORTED_CAPABILITY`. */
  readonly provider: string;
  /** A short name for people. */
  readonly label: string;
  /** Copied at the call (M1). */
  readonly request: StartRequest;
  /** The child's id, where the caller wants to know it before. */
  readonly childId?: SessionId;
  /** Of the task. Default: a new one. */
  readonly messageId?: MessageId;
}

/** What an interrupt touched (M40). */
export interface InterruptReceipt extends CancelReceipt {
  /** Live children of the target, which go on. */
  readonly descendantsRunning: number;
}

/** The condition of an Activation, derived and never stored (M25). */
export type Condition = 'starting' | 'running' | 'parked' | 'waiting' | 'settled' | 'closing';

/** A child that is in memory. */
export interface LiveActivation {
  /** Of this Activation alone; the next one of the same child has another. */
  readonly runId: string;
  /** As of the look at it (M25). */
  readonly condition: Condition;
}

/**
 * What a list says of one child: what its log holds and, where it is in memory, how it is. An entry that cannot be read is a
 * `problem` in its place (M48).
 */
export type ChildEntry =
  | {
      readonly kind: 'child';
      readonly id: SessionId;
      readonly parentId: SessionId;
      readonly label: string;
      readonly provider: string;
      readonly mode: 'continuable' | 'one-shot';
      /** Where it is resident. */
      readonly live?: LiveActivation;
      /** Of its last Activation, as far as its log says. */
      readonly lastOutcome?: Outcome;
      readonly createdAt: number;
    }
  | { readonly kind: 'problem'; readonly id: SessionId; readonly code: string; readonly message: string };
/** The same, with how far below the root it is: 1 for a child. */
export type DescendantEntry = ChildEntry & { readonly depth: number };

/** Records of a child's log, oldest first. */
export interface TranscriptPage {
  /** Events, and what stands in the place of unknown and damaged ones. */
  readonly records: readonly SessionRecord[];
  /** Where the next page starts; absent at the end. */
  readonly next?: number;
}

/** Tokens that each agent of a tree has used, the root included. */
export type UsageByAgent = readonly { readonly id: SessionId; readonly usage: Usage }[];

/** What tools and plugins get. */
export interface SubagentRuntime extends AsyncDisposable {
  /** Compared by packages that were built against another copy of this one. */
  readonly protocol: { readonly name: 'dsh-subagents/runtime'; readonly version: number };
  /**
   * Starts a durable child and resolves when its inbox has accepted the task; it waits for no turn (M3).
   * Rejects `NO_PROVIDER`, `UNSUPPORTED_CAPABILITY`, `PROVIDER_FAILED`, `DUPLICATE_CHILD`, `DEPTH_EXCEEDED`, `LIMIT_REACHED`, `DRAINING`,
   * `ACTIVATION_CLOSING`, `UNAUTHORIZED`; nothing is left then (M5). `signal` rules until acceptance and not after.
   */
  startContinuable(
    start: StartContinuable,
  ): Promise<{ readonly childId: SessionId; readonly messageId: MessageId }>;
  /**
   * Writes to a direct continuable child, or from a child to its live direct parent (M12). Resolves at acceptance.
   * Rejects `UNAUTHORIZED`, `NOT_RESUMABLE`, `PARENT_UNAVAILABLE`, `BUSY_ELSEWHERE`, `DRAINING`, `ACTIVATION_CLOSING`, `LIMIT_REACHED`;
   * nothing was delivered then. `signal` rules until acceptance and not after.
   */
  sendMessage(
    sender: Agent,
    targetId: SessionId,
    content: readonly ContentBlock[],
    options?: { readonly messageId?: MessageId } & WaitOptions,
  ): Promise<MessageId>;
  /**
   * Cancels the turn of a descendant and keeps or discards what waits there (M39, M40). Rejects `UNAUTHORIZED`. `signal`
   * rules while the store is asked whose the target is: nothing was cancelled then.
   */
  interrupt(
    targetId: SessionId,
    ancestor: Agent,
    options?: { readonly discard?: boolean } & WaitOptions,
  ): Promise<InterruptReceipt>;
  /** Drains strictly below exact live agents; what is stale is ignored (M42). Rejects `ACTIVATION_TEARDOWN_FAILED` after all branches were tried. */
  drainContinuableDescendants(parents: readonly Agent[], options?: WaitOptions): Promise<void>;
  /** Drains everything, for good (M41). Rejects `ACTIVATION_TEARDOWN_FAILED` after all branches were tried. */
  drain(): Promise<void>;
  /** Runs a one-shot child (M49). Rejects `NO_PROVIDER`, `UNSUPPORTED_CAPABILITY`, `DEPTH_EXCEEDED`, `DRAINING`, `PROVIDER_FAILED`. */
  start(provider: string, request: OneShotRequest): Promise<SubagentRun>;
  /** Throws `DUPLICATE_PROVIDER`. */
  registerProvider(provider: SubagentProvider): Registration;
  /** The registered provider of that name. */
  getProvider(name: string): SubagentProvider | undefined;
  /** All that are registered, in the order of their registration. */
  providers(): readonly SubagentProvider[];
  /** From the store, without resuming anyone (M48). */
  listChildren(parentId: SessionId, options?: WaitOptions): AsyncIterable<ChildEntry>;
  /** In pre-order; cycles are contained. */
  listDescendants(rootId: SessionId, options?: WaitOptions): AsyncIterable<DescendantEntry>;
  /** A page of the transcript of a descendant of `reader`, without resuming it. Rejects `UNAUTHORIZED`. */
  readTranscript(
    reader: Agent,
    childId: SessionId,
    options?: { readonly from?: number; readonly limit?: number } & WaitOptions,
  ): Promise<TranscriptPage>;
  /** Tokens per agent of a live tree, as far as this runtime has seen them. */
  usage(rootId: SessionId): UsageByAgent;
  /** Resolves when the root is idle, nothing below it is live but what is parked, and no notice is on its way. */
  whenQuiescent(rootId: SessionId, options?: WaitOptions): Promise<void>;
  /** Hears every event of that type from now on. What a listener throws is reported and reaches nobody else. */
  on<K extends keyof SubagentEventMap>(type: K, listener: (event: SubagentEventMap[K]) => void): Registration;
}

/** A person's controls. Made once and returned only to the creator of the runtime (M45). */
export interface HostControls {
  /** Each prompt is a turn of its own (`queue`), or goes strictly into a live child (`steer`). */
  prompt(
    childId: SessionId,
    prompt: {
      readonly parentSessionId: SessionId;
      readonly content: string | readonly ContentBlock[];
      readonly delivery?: 'queue' | 'steer';
      /** Makes absent managed ancestors resident first, without a message. */
      readonly wakeAncestors?: boolean;
      /** The same id again is answered with itself and accepted only once. Default: a new one. */
      readonly messageId?: MessageId;
    } & WaitOptions,
  ): Promise<MessageId>;
  /**
   * Cancels the turn of a child in the name of a person (M39). It then goes on only when a person writes. Rejects `UNAUTHORIZED`
   * where the presented parent is not the durable one. `signal` rules while the store is asked for that.
   */
  interrupt(
    childId: SessionId,
    options: { readonly parentSessionId: SessionId; readonly discard?: boolean } & WaitOptions,
  ): Promise<InterruptReceipt>;
  /** Closes those Activations and what is below them, child-first; absent ids are no-ops (M44). */
  stopChildren(
    parentSessionId: SessionId,
    childIds: readonly SessionId[],
    options?: WaitOptions,
  ): Promise<void>;
  /** Drains below the agent, then disposes it. */
  disposeRoot(handle: Pick<AgentHandle, 'agent' | 'dispose'>): Promise<void>;
  /** Deletes the stored Sessions of a whole tree, leaves first. Nothing of it may be live. */
  deleteTree(rootId: SessionId, options?: WaitOptions): Promise<void>;
}
