import { describe, expect, it } from 'vitest';
import { scan } from '../rules/scan.mjs';
import { checkout, tag } from './checkout.mjs';

/** What a file pins, as `rule name` lines. */
function pinsIn(source, path = 'packages/pear/test/pear.test.ts') {
  return scan(checkout({ [path]: source }).root).pins.map(({ rule, name }) => `${rule} ${name}`);
}

describe('the names that pin a rule', () => {
  it.each([
    ['single quotes', `it('keeps it ${tag('S1')}', () => {})`, ['S1 keeps it']],
    ['double quotes', `test("doesn't lose it ${tag('S1')}", () => {})`, ["S1 doesn't lose it"]],
    ['a template', `it(\`keeps \${kinds.map((k) => \`<\${k}>\`)} ${tag('S1')}\`, run)`, ['S1 keeps …']],
    ['several numbers', `it('claims ${tag('A4', 'A22')}', run)`, ['A4 claims', 'A22 claims']],
    ['the number first', `it('${tag('A4')} claims', run)`, ['A4 claims']],
    ['a table', `it.each([[1], [2]])('takes %i ${tag('M3')}', run)`, ['M3 takes %i']],
    ['a describe', `describe('the claim ${tag('A3')}', () => {})`, ['A3 the claim']],
    ['an invariant', `invariant(\n  'one writer ${tag('S20')}',\n  holds)`, ['S20 one writer']],
    [
      'a regular expression before it',
      `x.replace(/['"\`]/g, ''); it('quotes ${tag('M16')}', run)`,
      ['M16 quotes'],
    ],
    ['a division before it', `const half = n / 2; it('halves ${tag('M16')}', run) / 1`, ['M16 halves']],
    ['the same name twice', `it('a ${tag('S1')}', f); it('a ${tag('S1')}', f)`, ['S1 a']],
  ])('are found in %s [Q15]', (_, source, expected) => {
    expect(pinsIn(source)).toEqual(expected);
  });

  it.each([
    ['a skipped test', `it.skip('keeps it ${tag('S1')}', run)`],
    ['a test that is still to be written', `it.todo('keeps it ${tag('S1')}')`],
    ['a comment', `// it('keeps it ${tag('S1')}')\n/* it('keeps it ${tag('S1')}') */`],
    ['a string that is the number alone', `expect(ids).toEqual('${tag('S1')}')`],
    ['another bracket', `it('reads items${tag('0')} and ${tag('C1')}', run)`],
  ])('are not %s [Q15]', (_, source) => {
    expect(pinsIn(source)).toEqual([]);
  });

  it('may stand in a conformance suite and beside the tests [Q15]', () => {
    const source = `it('keeps it ${tag('S1')}', run)`;
    expect(pinsIn(source, 'packages/pear/src/conformance/append.ts')).toEqual(['S1 keeps it']);
    expect(pinsIn(source, 'packages/pear/test/model/invariants.ts')).toEqual(['S1 keeps it']);
    expect(pinsIn(source, 'packages/pear/test/types.test-d.ts')).toEqual(['S1 keeps it']);
    expect(pinsIn(source, 'packages/pear/src/pear.ts')).toEqual([]);
    expect(pinsIn(source, 'packages/pear/node_modules/plum/test/plum.test.ts')).toEqual([]);
    expect(pinsIn(source, 'packages/pear/dist/pear.test.js')).toEqual([]);
  });

  it('may stand in a line comment of a script [Q15]', () => {
    expect(pinsIn(`#!/bin/sh\n# pins ${tag('Q2')} runs every stage\n`, '.ci/run')).toEqual([
      'Q2 runs every stage',
    ]);
    expect(pinsIn(`  // pins ${tag('Q8', 'Q13')}\n`, 'scripts/pack.mjs')).toEqual(['Q8 ', 'Q13 ']);
    expect(pinsIn(`// see ${tag('Q8')}\nlog('x') // pins ${tag('Q8')}`, 'scripts/pack.mjs')).toEqual([]);
  });

  it('are reported when their brackets hold more than numbers [Q15]', () => {
    const source = `it('keeps it ${['[', 'S1, S2', ']'].join('')}', run)`;
    const { pins, malformed } = scan(checkout({ 'test/a.test.ts': source }).root);
    expect(pins).toEqual([]);
    expect(malformed).toEqual([{ path: 'test/a.test.ts', text: ['[', 'S1, S2', ']'].join('') }]);
  });
});
