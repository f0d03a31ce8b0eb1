import { describe, expect, it } from 'vitest';
import type { SubagentsOptions } from '../src/options.ts';
import { policyOf } from '../src/policy.ts';

const policy = (options: object) => policyOf(options as SubagentsOptions);

describe('the policy of a host', () => {
  it('has a default for everything [M46 M47]', () => {
    expect(policy({})).toEqual({
      ...{ inbox: 'process', maxDepth: 3, maxHops: 1_000, noticeCharacters: 16_000 },
      ...{ disposalMs: 30_000, flushMs: 10_000, keepWarmMs: 0 },
    });
  });

  it.each([
    ['inbox', { inbox: 'zz' }],
    ['limits.maxDepth', { limits: { maxDepth: -1 } }],
    ['limits.maxHops', { limits: { maxHops: Number.NaN } }],
    ['limits.budgetTokens', { limits: { budgetTokens: '5' } }],
    ['timeouts.disposalMs', { timeouts: { disposalMs: -5 } }],
    ['keepWarmMs', { keepWarmMs: -1 }],
    ['overrideModel', { overrideModel: 'a-model' }],
    // Such a clock would ring at once.
    ['timeouts.flushMs', { timeouts: { flushMs: Infinity } }],
    ['timeouts.disposalMs', { timeouts: { disposalMs: 2 ** 31 } }],
  ])('is refused where %s is none [M46]', (name, options) => {
    const wanted: unknown = expect.stringContaining(name);
    expect(() => policy(options)).toThrow(
      expect.objectContaining({ code: 'INVALID_REQUEST', message: wanted }),
    );
  });
});
