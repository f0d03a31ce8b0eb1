/**
 * Makes the history usable before the first turn, and lets the inbox learn what it says of messages (A28, A31).
 * I1. Only the first load waits.
 * I2. No turn begins before the messages of the log are known: none is claimed twice, and none that came again
 *     makes a turn of its own.
 * I3. A wait ends when somebody leaves it; the reading goes on, and the next wait is for the same.
 */
import type { Session, SessionEvent } from '@deepseek-ai/dsh-session';
import { untilAborted } from '@dsh-internal/async';
import type { AgentCore } from './core.ts';

export type LoadResult =
  | { readonly kind: 'loaded' }
  /** What the Session finds damaged, or why it cannot be read. Another load tries again. */
  | { readonly kind: 'failed'; readonly error: unknown }
  | { readonly kind: 'left' };

export interface HistoryGate {
  /** All is in memory. */
  readonly loaded: boolean;
  /** Learns what the log says if that is in memory already. */
  look(): void;
  /** Waits until all is in memory. Never rejects. */
  load(): Promise<LoadResult>;
  /** Ends the wait of `load`, if there is one. */
  leave(): void;
}

export function createHistoryGate(core: AgentCore): HistoryGate {
  return new Gate(core);
}

class Gate implements HistoryGate {
  loaded = false;
  readonly #core: AgentCore;
  #known = false;
  #wait: AbortController | undefined;

  constructor(core: AgentCore) {
    this.#core = core;
  }

  look(): void {
    if (this.#known) return;
    const { session, inbox } = this.#core;
    const own = eventsFrom(session, session.header.seedLength ?? 0);
    if (own === undefined) return;
    this.#known = true;
    inbox.learn(own);
  }

  async load(): Promise<LoadResult> {
    const { session } = this.#core;
    if (eventsFrom(session, 0) !== undefined) return this.#arrived();
    const own = new AbortController();
    this.#wait = own;
    try {
      await untilAborted(session.ready(), own.signal);
      return this.#arrived();
    } catch (error) {
      return own.signal.aborted ? { kind: 'left' } : { kind: 'failed', error };
    } finally {
      this.#wait = undefined;
    }
  }

  leave(): void {
    this.#wait?.abort();
  }

  #arrived(): LoadResult {
    this.loaded = true;
    this.look();
    return { kind: 'loaded' };
  }
}

/** From a Session's own part on: what a fork inherited was not said to it. */
function eventsFrom(session: Session, seq: number): readonly SessionEvent[] | undefined {
  try {
    return session.events(seq);
  } catch {
    return undefined;
  }
}
