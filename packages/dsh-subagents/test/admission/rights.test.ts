import type { ToolFilter } from '@deepseek-ai/dsh-agent';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { effectiveDepthLimit, intersectFilters } from '../../src/admission/rights.ts';

const names = ['a', 'b', 'c', 'd'];
const visible = (filter: ToolFilter | undefined): readonly string[] =>
  names.filter((name) => (filter?.allow?.includes(name) ?? true) && !(filter?.deny?.includes(name) ?? false));

describe('effective filters', () => {
  it.each<[ToolFilter | undefined, ToolFilter | undefined, ToolFilter | undefined]>([
    [undefined, undefined, undefined],
    [{}, {}, undefined],
    [{ allow: ['a', 'b'] }, undefined, { allow: ['a', 'b'] }],
    [undefined, { allow: ['a'], deny: ['b'] }, { allow: ['a'], deny: ['b'] }],
    [{ allow: ['a', 'b'] }, { allow: ['b', 'c'] }, { allow: ['b'] }],
    [{ allow: ['a'] }, { allow: ['b'] }, { allow: [] }],
    [{ allow: [] }, undefined, { allow: [] }],
    [{ deny: ['a'] }, { deny: ['b', 'a'] }, { deny: ['a', 'b'] }],
    [{ deny: ['a'] }, { allow: ['a', 'b'] }, { allow: ['a', 'b'], deny: ['a'] }],
    [{ allow: ['a', 'a'] }, undefined, { allow: ['a'] }],
  ])('[M11] of %j and %j is %j', (parent, requested, effective) => {
    expect(intersectFilters(parent, requested)).toEqual(effective);
  });

  it('[M11] let through what both let through, and nothing else', () => {
    const list = fc.option(fc.subarray(names), { nil: undefined });
    const filter = fc.option(
      fc.record({ allow: list, deny: list }).map(({ allow, deny }): ToolFilter => ({
        ...(allow === undefined ? {} : { allow }),
        ...(deny === undefined ? {} : { deny }),
      })),
      { nil: undefined },
    );
    fc.assert(
      fc.property(filter, filter, (parent, requested) => {
        const asked = visible(requested);
        expect(visible(intersectFilters(parent, requested))).toEqual(
          visible(parent).filter((name) => asked.includes(name)),
        );
      }),
    );
  });
});

describe('the effective depth', () => {
  it.each([
    [[3, undefined, 5], 3],
    [[3, 2, 5], 2],
    [[0], 0],
    [[3, Number.NaN], 0],
    [[undefined], Infinity],
  ])('[M11] of %j is %j', (limits, limit) => {
    expect(effectiveDepthLimit(...limits)).toBe(limit);
  });
});
