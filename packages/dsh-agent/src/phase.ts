/**
 * [pure] Where the life of an agent stands: who may run, and what `status` says.
 * I1. `held` -> `open` -> `stopped` -> `disposed`; no way back.
 * I2. A driver is begun only in `open`; one that is active when the agent stops runs out.
 */
import type { AgentStatus } from './agent.ts';

export interface Phase {
  readonly life: 'held' | 'open' | 'stopped' | 'disposed';
  /** `active`: from the span that begins a driver until it rests. */
  readonly driver: 'none' | 'active';
}

export type PhaseEvent = 'start' | 'schedule' | 'rest' | 'stop' | 'dispose';

export const firstPhase: Phase = { life: 'held', driver: 'none' };

export function reducePhase(phase: Phase, event: PhaseEvent): Phase {
  switch (event) {
    case 'start':
      return phase.life === 'held' ? { ...phase, life: 'open' } : phase;
    case 'schedule':
      return mayDrive(phase) ? { ...phase, driver: 'active' } : phase;
    case 'rest':
      return { ...phase, driver: 'none' };
    case 'stop':
      return phase.life === 'disposed' ? phase : { ...phase, life: 'stopped' };
    case 'dispose':
      return { ...phase, life: 'disposed' };
  }
}

/** A driver may be begun. */
export function mayDrive(phase: Phase): boolean {
  return phase.life === 'open' && phase.driver === 'none';
}

export function isStopped(phase: Phase): boolean {
  return phase.life === 'stopped' || phase.life === 'disposed';
}

/** A9: running while a driver is active or unparked work waits, whoever is to begin it. */
export function statusOf(phase: Phase, hasWork: boolean): AgentStatus {
  if (isStopped(phase)) return 'closing';
  return phase.driver !== 'none' || hasWork ? 'running' : 'idle';
}
