/** Repeats what may succeed later. p-retry counts and decides; time and chance are the ports' (A15). */
import type { Clock } from '@deepseek-ai/dsh-session';
import pRetry from 'p-retry';
import { sleep } from './bounded-wait.ts';
import { ModelError } from './model.ts';

export interface RetryOptions {
  readonly attempts: number;
  /** The longest delay that is waited for because a provider names it. */
  readonly longestNamedMs: number;
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly random: () => number;
  readonly onRetry: (event: {
    readonly attempt: number;
    readonly delayMs: number;
    readonly error: Error;
  }) => void;
}

/** `run` is told how long to wait if it fails; it rejects with what the last attempt rejected with. */
export function withRetry<T>(run: () => Promise<T>, options: RetryOptions): Promise<T> {
  const { attempts, longestNamedMs, signal, clock, random, onRetry } = options;
  return pRetry(run, {
    retries: Math.max(0, attempts - 1),
    // No delay of p-retry's own: it would take the machine's clock.
    minTimeout: 0,
    signal,
    async shouldRetry({ error, attemptNumber }) {
      if (!ModelError.is(error) || !error.retryable) return false;
      const named = namedDelay(error);
      if ((named ?? 0) > longestNamedMs) return false;
      const delayMs = retryDelay(attemptNumber, named, random());
      onRetry({ attempt: attemptNumber, delayMs, error });
      await sleep(clock, delayMs, signal);
      return true;
    },
  });
}

/** What the provider asks for, in milliseconds. A model of somebody's own may name anything. */
export function namedDelay({ retryAfterMs }: ModelError): number | undefined {
  return typeof retryAfterMs === 'number' && retryAfterMs >= 0 ? retryAfterMs : undefined;
}

const firstDelay = 1_000;
const longestDelay = 30_000;

/** In milliseconds. What a provider asked for is a lower bound; `chance` in [0, 1) spreads those who wait together. */
function retryDelay(attempt: number, askedMs: number | undefined, chance: number): number {
  if (askedMs !== undefined) return Math.round(askedMs + chance * Math.min(firstDelay, askedMs / 10));
  const step = Math.min(longestDelay, firstDelay * 2 ** (attempt - 1));
  return Math.round(step * (0.5 + chance / 2));
}
