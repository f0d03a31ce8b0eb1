/**
 * One residency epoch of a child, from its reservation to the removal from the table.
 * Owns: the facts of that epoch that nothing else knows. Does not own: what the agent knows (status, inbox).
 * I1. `phase` moves starting → resident → closing, or starting → closing; it never goes back.
 * I2. Only lifecycle/ and admission/admit.ts write to a slot; everything else reads.
 */
import type { Registration, SessionId, TurnEndReason } from '@deepseek-ai/dsh-session';
import { deferred, linkAbort, type Deferred, type LinkedAbort } from '@dsh-internal/async';
import type { PortHandle } from '../port.ts';
import type { ActivationStarted } from '../events.ts';
import type { Lane } from '../lifecycle/lane.ts';
import type { Phase } from './condition.ts';

/** Why an epoch closes. `rollback`: its start failed. */
export type CloseCause = 'settled' | 'drain' | 'stopped' | 'rollback' | 'fenced';

/** What is known of an epoch when its place is reserved. */
export interface Reservation {
  readonly childId: SessionId;
  /** The durable direct parent. */
  readonly parentId: SessionId;
  /** Durable ids from the parent upward, fixed now: a descendant is found by them whoever has left since (M42). */
  readonly chain: readonly SessionId[];
  readonly runId: string;
  readonly provider: string;
  readonly label: string;
  /** The deepest level that this child may delegate to (M11). */
  readonly maxDepth: number;
  readonly resumed: boolean;
  /** Unix epoch, milliseconds. */
  readonly reservedAt: number;
}

export interface Closing {
  readonly cause: CloseCause;
  /** Why a start that is under way ends, and what its caller is told. */
  readonly reason: Error;
}

export interface Slot extends Reservation {
  phase: Phase;
  handle: PortHandle | undefined;
  /** Ends the materialization. */
  readonly starting: LinkedAbort;
  /** Resolves when the materialization has ended, well or not. */
  readonly started: Deferred<void>;
  /** Deliveries that wait for this start, each with its own order inside. */
  readonly lanes: Set<Lane>;
  closing: Closing | undefined;
  /** Settles when nothing of this epoch is left; rejects with what could not be released. */
  readonly released: Deferred<void>;
  /** `subagent/start` was published, so `subagent/end` must follow. */
  announced: boolean;
  /** A delivery was accepted or restored, so the parent is told how it ended (M33). */
  accepted: boolean;
  /** Waking messages that its inbox has taken. */
  insertions: number;
  /** Operations that keep it resident: its own sends, admissions to it, and prompts below it (M13). */
  holds: number;
  /** The log's length when this epoch took the Session over. */
  firstSeq: number;
  lastTurnEnd: TurnEndReason | undefined;
  /** How many turns there had been when accepted waking work was last discarded between turns. */
  discardedAfter: number | undefined;
  /** A natural settlement is under way. */
  settling: boolean;
  /** `subagent/parked` was published for the present parking. */
  parkedTold: boolean;
  warmth: Registration | undefined;
}

/** What the events of this epoch have in common. */
export function startedEvent({
  runId,
  childId,
  parentId,
  provider,
  label,
  resumed,
}: Slot): ActivationStarted {
  return { runId, childId, parentId, provider, label, mode: 'continuable', resumed };
}

export function reserveSlot(reservation: Reservation, signal: AbortSignal | undefined): Slot {
  const released = deferred();
  // Nobody may be there to hear of a failed release; who waits for it hears of it all the same.
  released.promise.catch(() => undefined);
  return {
    ...reservation,
    released,
    phase: 'starting',
    handle: undefined,
    starting: linkAbort(signal),
    started: deferred(),
    lanes: new Set(),
    closing: undefined,
    announced: false,
    accepted: false,
    insertions: 0,
    holds: 0,
    firstSeq: 0,
    lastTurnEnd: undefined,
    discardedAfter: undefined,
    settling: false,
    parkedTold: false,
    warmth: undefined,
  };
}
