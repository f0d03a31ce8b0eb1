/** Waits that are no deliveries, and end as those do: with their signal, a drain, or the close of their asker. */
import type { Agent } from '@deepseek-ai/dsh-agent';
import type { SessionId } from '@deepseek-ai/dsh-session';
import { linkAbort, type LinkedAbort } from '@dsh-internal/async';

/** Whose leaving, and under which ids a drain, ends the asking. */
export interface AskerPlace {
  /** The exact live agent that asks, or in whose name a person asks. */
  readonly agent: Agent;
  readonly lineage: readonly SessionId[];
}

export interface Companions {
  /** To be disposed when the wait is over. */
  accompany(asker: AskerPlace, signal: AbortSignal | undefined): LinkedAbort;
  endWhere(chosen: (asker: AskerPlace) => boolean, error: Error): void;
}

export function createCompanions(): Companions {
  const waiting = new Map<LinkedAbort, AskerPlace>();
  return {
    accompany(asker, signal) {
      const link = linkAbort(signal);
      waiting.set(link, asker);
      return {
        ...link,
        [Symbol.dispose]() {
          waiting.delete(link);
          link[Symbol.dispose]();
        },
      };
    },
    endWhere(chosen, error) {
      for (const [link, asker] of waiting) if (chosen(asker)) link.abort(error);
    },
  };
}
