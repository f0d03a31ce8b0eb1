/**
 * The starts that a provider has not answered yet.
 * Owns: what ends the wait for an answer. Does not own: the runs that the provider begins meanwhile (live-runs.ts).
 */
import type { SessionId } from '@deepseek-ai/dsh-session';
import { linkAbort, type LinkedAbort } from '@dsh-internal/async';

/** Ids from the parent upward. */
type Chain = readonly [SessionId, ...SessionId[]];

/** A start from the question to its provider on. Disposing it lets go of the caller's signal. */
export interface AskedStart extends Disposable {
  /** Follows the caller's signal; until `answered` also aborted by what stops runs. */
  readonly signal: AbortSignal;
  answered(): void;
}

export interface AskedStarts {
  readonly ask: (chain: Chain, signal: AbortSignal | undefined) => AskedStart;
  /** Synchronous: of no chosen start an answer is waited for any more. */
  stop(chosen: (chain: Chain) => boolean): void;
}

/** `endOf`: what the caller of a start is told that is stopped. */
export function createAskedStarts(endOf: (chain: Chain) => Error): AskedStarts {
  const asked = new Map<LinkedAbort, Chain>();
  return {
    ask(chain, given) {
      const link = linkAbort(given);
      asked.set(link, chain);
      const answered = (): void => void asked.delete(link);
      return {
        ...{ answered, signal: link.signal },
        [Symbol.dispose]() {
          answered();
          link[Symbol.dispose]();
        },
      };
    },
    stop(chosen) {
      for (const [link, chain] of [...asked]) if (chosen(chain)) link.abort(endOf(chain));
    },
  };
}
