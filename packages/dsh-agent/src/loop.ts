/**
 * The driver: runs turns while unparked work waits.
 * I1. At most one driver is active. It is begun in the span of what makes work, and runs in a later microtask (A9).
 * I2. The look that finds no work and the rest are one synchronous span: no work is left lying.
 * I3. The log is in memory before a turn begins, or the turn says why it is not.
 */
import type { WaitOptions } from '@deepseek-ai/dsh-session';
import { deferred, untilAborted, type Deferred } from '@dsh-internal/async';
import type { AgentCore } from './core.ts';
import type { LoadResult } from './history-gate.ts';
import { checkObject } from './options.ts';
import { isStopped, mayDrive } from './phase.ts';
import { runTurn } from './turn.ts';

export interface Loop {
  /** Begins a driver if one is due. */
  poke(): void;
  /** Resolves when the driver that is active now has ended. */
  rested(): Promise<void>;
}

export function createLoop(core: AgentCore): Loop {
  return new Driver(core);
}

class Driver implements Loop {
  readonly #core: AgentCore;
  #running: Promise<void> = Promise.resolve();

  constructor(core: AgentCore) {
    this.#core = core;
  }

  poke(): void {
    const core = this.#core;
    if (!mayDrive(core.phase) || !core.inbox.state.hasWork) return;
    core.enter('schedule');
    this.#running = Promise.resolve().then(() => this.#drive());
  }

  rested(): Promise<void> {
    return this.#running;
  }

  async #drive(): Promise<void> {
    const core = this.#core;
    while (this.#isDue()) {
      const result = core.history.loaded ? loaded : await core.history.load();
      // By what the log says, or by a cancel meanwhile, there may be nothing to do any more.
      if (result.kind !== 'left' && this.#isDue()) await runTurn(core, result);
    }
    core.enter('rest');
    core.tellStatus();
  }

  #isDue(): boolean {
    return this.#core.phase.life === 'open' && this.#core.inbox.state.hasWork;
  }
}

const loaded: LoadResult = { kind: 'loaded' };

/** Who waits for an agent to come to rest. */
export interface IdleWatch {
  /** Looks whether those who wait may go on. To be called after every change. */
  look(): void;
  wait(options: WaitOptions): Promise<void>;
}

export function createIdleWatch(core: AgentCore): IdleWatch {
  return new Watch(core);
}

class Watch implements IdleWatch {
  readonly #core: AgentCore;
  /** Made when somebody waits. */
  #change: Deferred<void> | undefined;

  constructor(core: AgentCore) {
    this.#core = core;
  }

  look(): void {
    if (this.#change === undefined || !this.#atRest()) return;
    this.#change.resolve();
    this.#change = undefined;
  }

  async wait(options: WaitOptions): Promise<void> {
    checkObject('not waited', 'options', options);
    const { signal } = options;
    signal?.throwIfAborted();
    // Work that came between the rest and this continuation counts too.
    while (!this.#atRest()) {
      this.#change ??= deferred();
      await untilAborted(this.#change.promise, signal);
    }
  }

  #atRest(): boolean {
    const { phase, inbox } = this.#core;
    return phase.driver === 'none' && (isStopped(phase) || !inbox.state.hasWork);
  }
}
