import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { UsageError } from '../../src/run/usage-error.ts';
import { parseScenario } from '../../src/scenario/read-scenario.ts';

const text = fc.string({ minLength: 1, unit: 'grapheme', maxLength: 20 });

const entry = fc.record(
  {
    when: fc.record({ contains: text }),
    text,
    reasoning: text,
    finish: fc.constantFrom('stop', 'max-tokens', 'refused', 'other'),
    cut: fc.boolean(),
    usage: fc.record({ inputTokens: fc.nat(), outputTokens: fc.nat() }),
    delayMs: fc.nat(),
  },
  { requiredKeys: ['text'] },
);

/** What means something in YAML: references, tags, marks of blocks and of ends. */
const marks = ['*a', '&a ', '!b ', '!!js/function ', '<<: ', '- ', '? ', ': ', '{', ']', '"', "'", '|', '%'];
const put = fc.oneof(
  fc.string({ maxLength: 3 }),
  fc.constantFrom(...marks, '\n---\n', '\n...\n', '\t', '\u0000', '\ud800', '.inf', '2020-01-01'),
);

const scenario = fc.record(
  { name: text, prompts: fc.array(fc.record({ text })), agents: fc.record({ root: fc.array(entry) }) },
  { requiredKeys: ['prompts', 'agents'] },
);

describe('a scenario file', () => {
  it('is read as what was written, as JSON and as YAML [H11 Q6]', () => {
    fc.assert(
      fc.property(scenario, fc.boolean(), (value, asJson) => {
        const file = asJson ? JSON.stringify(value) : stringify(value);
        expect(parseScenario(file, 'pears.yaml')).toEqual(value);
      }),
      { seed: 41 },
    );
  });

  it('that was damaged anywhere is read, or refused by one line with its place [H11 Q6]', () => {
    const cut = fc.record({ at: fc.nat(), atValue: fc.boolean(), length: fc.nat({ max: 3 }), put });
    fc.assert(
      fc.property(scenario, fc.array(cut, { minLength: 1, maxLength: 4 }), (value, cuts) => {
        let file = stringify(value);
        for (const { at, atValue, length, put } of cuts) {
          const values = [...file.matchAll(/: /g)].map(({ index }) => index + 2);
          const from = atValue ? (values[at % values.length] ?? 0) : at % (file.length + 1);
          file = file.slice(0, from) + put + file.slice(from + length);
        }
        try {
          parseScenario(file, 'pears.yaml');
        } catch (error) {
          expect(error).toBeInstanceOf(UsageError);
          expect((error as Error).message).toMatch(/^pears\.yaml:\d+:\d+: [^\n]+$/);
        }
      }),
      { numRuns: 500, seed: 42 },
    );
  });
});
