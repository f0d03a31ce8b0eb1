/**
 * [pure] What the agents of one tree may spend together, in tokens (M46).
 * I1. A request is refused when what was spent and what is reserved leave no room for it; one that nobody can
 *     estimate needs room for one token.
 * I2. Each asker has at most one reservation, and it ends once: spent, or given back.
 * I3. So more than the limit is spent by at most what the answers in flight exceed their reservations by.
 */
import type { Usage } from '@deepseek-ai/dsh-session';

export interface Budget {
  readonly spent: number;
  readonly reserved: number;
  /** `false`: refused, and nothing is reserved. */
  reserve(asker: object, estimate: number): boolean;
  /** The answer is there. Gives what it cost: its reservation, where the model did not say. */
  spend(asker: object, cost: number | undefined): number;
  /** The request came to nothing. */
  giveBack(asker: object): void;
  /** What was spent by others, or before this process. */
  add(tokens: number): void;
}

export function createBudget(limit: number): Budget {
  const reservations = new Map<object, number>();
  let spent = 0;
  const reserved = (): number => [...reservations.values()].reduce((sum, tokens) => sum + tokens, 0);
  return {
    get spent() {
      return spent;
    },
    get reserved() {
      return reserved();
    },
    reserve(asker, estimate) {
      reservations.delete(asker);
      const wanted = Math.max(1, estimate);
      if (!(spent + reserved() + wanted <= limit)) return false;
      reservations.set(asker, wanted);
      return true;
    },
    spend(asker, cost) {
      const tokens = cost ?? reservations.get(asker) ?? 0;
      reservations.delete(asker);
      spent += tokens;
      return tokens;
    },
    giveBack(asker) {
      reservations.delete(asker);
    },
    add(tokens) {
      spent += tokens;
    },
  };
}

/** Cached input is part of the input, and reasoning of the output: each token counts once. */
export function costOf({ inputTokens, outputTokens }: Usage): number {
  return inputTokens + outputTokens;
}

/** Tokens of a text that no model has counted yet, roughly. */
export function roughTokens(characters: number): number {
  return Math.ceil(characters / 4);
}
