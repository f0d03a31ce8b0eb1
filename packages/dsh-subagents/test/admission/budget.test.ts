import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { costOf, createBudget, roughTokens } from '../../src/admission/budget.ts';

type Move = readonly ['ask', number, number] | readonly ['answer', number, number] | readonly ['end', number];

const asker = fc.integer({ min: 0, max: 4 });
const tokens = fc.integer({ min: 0, max: 400 });
const moves: fc.Arbitrary<readonly Move[]> = fc.array(
  fc.oneof(
    fc.tuple(fc.constant('ask' as const), asker, tokens),
    fc.tuple(fc.constant('answer' as const), asker, tokens),
    fc.tuple(fc.constant('end' as const), asker),
  ),
  { maxLength: 60 },
);

describe('a budget', () => {
  it('refuses what would cross it, with what others have reserved [M46]', () => {
    const budget = createBudget(100);
    const [a, b] = [{}, {}];
    budget.add(50);
    expect(budget.reserve(a, 30)).toBe(true);
    expect(budget.reserve(b, 21)).toBe(false);
    expect(budget.reserve(b, 20)).toBe(true);
    expect([budget.spent, budget.reserved]).toEqual([50, 50]);
    budget.giveBack(b);
    expect(budget.reserve(b, 20)).toBe(true);
  });

  it('refuses everything once it is reached, also what nobody can estimate [M46]', () => {
    const budget = createBudget(10);
    budget.add(10);
    expect(budget.reserve({}, 0)).toBe(false);
    expect(createBudget(Number.NaN).reserve({}, 0)).toBe(false);
  });

  it('counts an answer whose model did not say what it cost as what was reserved for it [M46]', () => {
    const budget = createBudget(100);
    const asker = {};
    budget.reserve(asker, 40);
    expect(budget.spend(asker, undefined)).toBe(40);
    expect([budget.spent, budget.reserved]).toEqual([40, 0]);
  });

  it('is crossed by no more than the answers in flight exceed their reservations by [M46]', () => {
    fc.assert(
      fc.property(moves, (all) => {
        const limit = 1_000;
        const budget = createBudget(limit);
        const askers = Array.from({ length: 5 }, () => ({}));
        const inFlight = new Map<number, number>();
        let excess = 0;
        for (const [kind, who, amount = 0] of all) {
          const one = askers[who] ?? {};
          if (kind === 'ask' && !inFlight.has(who) && budget.reserve(one, amount)) {
            inFlight.set(who, Math.max(1, amount));
          } else if (kind === 'answer' && inFlight.has(who)) {
            excess += Math.max(0, budget.spend(one, amount) - (inFlight.get(who) ?? 0));
            inFlight.delete(who);
          } else if (kind === 'end') {
            budget.giveBack(one);
            inFlight.delete(who);
          }
          expect(budget.reserved).toBe([...inFlight.values()].reduce((sum, each) => sum + each, 0));
          expect(budget.spent + budget.reserved).toBeLessThanOrEqual(limit + excess);
        }
      }),
    );
  });

  it('counts cached input and reasoning once, as parts of what they belong to [M46]', () => {
    const usage = { inputTokens: 700, outputTokens: 30, cachedInputTokens: 600, reasoningTokens: 20 };
    expect(costOf(usage)).toBe(730);
    expect([0, 1, 4, 5].map(roughTokens)).toEqual([0, 1, 1, 2]);
  });
});
