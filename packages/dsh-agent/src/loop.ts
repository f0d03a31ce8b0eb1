/**
 * The driver: runs turns while unparked work waits.
 * I1. At most one driver is active. It is begun in the span of what makes work, and runs in a later microtask (A9).
 * I2. The look that finds no work and the rest are one synchronous span: no work is left lying.
 * I3. The log is in memory before a turn begins, or the turn says why it is not.
 */
import { deferred, untilAborted } from '@dsh-internal/async';
import type { AgentCore } from './core.ts';
import type { LoadResult } from './history-gate.ts';
import { isStopped, mayDrive } from './phase.ts';
import { runTurn } from './turn.ts';

export interface Loop {
  /** Begins a driver if one is due. */
  poke(): void;
  /** Resolves when the driver that is active now has ended. */
  rested(): Promise<void>;
}

export function createLoop(core: AgentCore): Loop {
  let driver: Promise<void> = Promise.resolve();

  const isDue = (): boolean => core.phase.life === 'open' && core.inbox.state.hasWork;
  const drive = async (): Promise<void> => {
    while (isDue()) {
      const result = core.history.loaded ? loaded : await core.history.load();
      // By what the log says, or by a cancel meanwhile, there may be nothing to do any more.
      if (result.kind !== 'left' && isDue()) await runTurn(core, result);
    }
    core.enter('rest');
    core.tellStatus();
  };
  return {
    poke() {
      if (!mayDrive(core.phase) || !core.inbox.state.hasWork) return;
      core.enter('schedule');
      driver = Promise.resolve().then(drive);
    },
    rested: () => driver,
  };
}

const loaded: LoadResult = { kind: 'loaded' };

/** Who waits for an agent to come to rest. */
export interface IdleWatch {
  /** Looks whether those who wait may go on. To be called after every change. */
  look(): void;
  wait(signal: AbortSignal | undefined): Promise<void>;
}

export function createIdleWatch(core: () => AgentCore): IdleWatch {
  let change = deferred();
  const atRest = (): boolean => {
    const { phase, inbox } = core();
    return phase.driver === 'none' && (isStopped(phase) || !inbox.state.hasWork);
  };
  return {
    look() {
      if (!atRest()) return;
      change.resolve();
      change = deferred();
    },
    async wait(signal) {
      signal?.throwIfAborted();
      // Work that came between the rest and this continuation counts too.
      while (!atRest()) await untilAborted(change.promise, signal);
    },
  };
}
