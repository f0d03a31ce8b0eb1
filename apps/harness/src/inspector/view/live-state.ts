/**
 * [pure] In which state a Session stands, for people.
 * I1. Nothing is stored: the state follows from what the agent, its inbox and what is below it say at this moment.
 */
import type { NodeState } from '../protocol.ts';

export interface LiveFacts {
  /** The driver works, or it closes. */
  readonly busy: boolean;
  /** Waking messages wait in the inbox. */
  readonly pending: boolean;
  /** What waits is parked. */
  readonly parked: boolean;
  readonly root: boolean;
}

/** What is live directly below. */
export type Below = 'nothing' | 'parked' | 'active';

export function liveState({ busy, pending, parked, root }: LiveFacts, below: Below): NodeState {
  if (busy || (pending && !parked)) return 'running';
  if (below === 'active') return 'waiting';
  if (pending || below === 'parked') return 'parked';
  // A child at rest is on its way out of memory.
  return root ? 'idle' : 'waiting';
}

export function belowOf(states: Iterable<NodeState>): Below {
  let below: Below = 'nothing';
  for (const state of states) {
    if (state !== 'parked') return 'active';
    below = 'parked';
  }
  return below;
}
