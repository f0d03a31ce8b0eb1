/** [pure] Tokens and what they cost. */
import type { Spent, Tokens } from '../protocol.ts';

/** Per million tokens, in whatever unit the config says. */
export interface Price {
  readonly input: number;
  readonly output: number;
  /** Default: as `input`. */
  readonly cachedInput?: number | undefined;
}

export type Prices = Readonly<Record<string, Price>>;

/** By the route of the model; `''` where a log does not say which it was. */
export type TokensByModel = Readonly<Record<string, Tokens>>;

export const noTokens: Tokens = { input: 0, output: 0, cachedInput: 0, reasoning: 0 };

export function addTokens(a: Tokens, b: Tokens): Tokens {
  return {
    input: a.input + b.input,
    output: a.output + b.output,
    cachedInput: a.cachedInput + b.cachedInput,
    reasoning: a.reasoning + b.reasoning,
  };
}

/** Without a `cost` where some model of it has no price. */
export function spentOf(byModel: TokensByModel, prices: Prices | undefined): Spent {
  let tokens = noTokens;
  let cost: number | undefined = prices === undefined ? undefined : 0;
  for (const [model, some] of Object.entries(byModel)) {
    tokens = addTokens(tokens, some);
    const price = prices !== undefined && Object.hasOwn(prices, model) ? prices[model] : undefined;
    cost = cost === undefined || price === undefined ? undefined : cost + costOf(some, price);
  }
  return { tokens, ...(cost === undefined ? {} : { cost }) };
}

function costOf({ input, output, cachedInput }: Tokens, price: Price): number {
  const cached = cachedInput * (price.cachedInput ?? price.input);
  return ((input - cachedInput) * price.input + cached + output * price.output) / 1_000_000;
}

export function addSpent(a: Spent, b: Spent): Spent {
  const tokens = addTokens(a.tokens, b.tokens);
  return a.cost === undefined || b.cost === undefined ? { tokens } : { tokens, cost: a.cost + b.cost };
}
