/**
 * How far each agent's present work is from the last human message (M47).
 * I1. A claimed human message sets the distance back to 0; any other claimed message can only raise it.
 */
import type { Agent } from '@deepseek-ai/dsh-agent';
import type { UserMessage } from '@deepseek-ai/dsh-session';

export interface Hops {
  claimed(agent: Agent, message: UserMessage): void;
  /** What a message of this agent carries. */
  next(agent: Agent): number;
}

export function createHops(): Hops {
  const largest = new WeakMap<Agent, number>();
  return {
    claimed(agent, { source }) {
      if (source.kind === 'user') largest.delete(agent);
      else if ('hops' in source && typeof source.hops === 'number') {
        largest.set(agent, Math.max(largest.get(agent) ?? 0, source.hops));
      }
    },
    next: (agent) => (largest.get(agent) ?? 0) + 1,
  };
}
