/**
 * [pure] The condition of an Activation, derived from facts that each have one home elsewhere (M25).
 * I1. Only a resident Activation has a condition of its own; the other phases are named by themselves.
 * I2. `settled` is the only condition that lets an Activation go: nothing runs, waits, is owned, or holds it.
 * I3. Parked messages keep an Activation, and count as running for no ancestor.
 */
import type { Condition } from '../subagents.ts';

export type Phase = 'starting' | 'resident' | 'closing';

/** What is owned: no live child, only children that are parked, or at least one that is not. */
export type Owned = 'none' | 'parked' | 'active';

export interface ActivationFacts {
  readonly phase: Phase;
  /** The agent runs, or an accepted waking entry waits unparked. */
  readonly busy: boolean;
  /** The agent is quiescent, and waking entries wait behind the mark. */
  readonly parkedWork: boolean;
  /** An operation of this agent, or an admission to it, is under way. */
  readonly held: boolean;
  readonly owned: Owned;
}

export function conditionOf(facts: ActivationFacts): Condition {
  if (facts.phase !== 'resident') return facts.phase;
  if (facts.busy || facts.held) return 'running';
  if (facts.owned === 'active') return 'waiting';
  if (facts.parkedWork || facts.owned === 'parked') return 'parked';
  return 'settled';
}

export function ownedOf(children: Iterable<Condition>): Owned {
  let owned: Owned = 'none';
  for (const condition of children) {
    if (condition !== 'parked') return 'active';
    owned = 'parked';
  }
  return owned;
}
