import type { SessionRecord } from '@deepseek-ai/dsh-session';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { foldRecord, noFacts, type Facts } from '../../src/inspector/view/facts.ts';
import { flowEdge } from '../../src/inspector/view/flow-edge.ts';
import { spentOf } from '../../src/inspector/view/spent.ts';
import { transcriptEntry } from '../../src/inspector/view/transcript-entry.ts';
import type { TranscriptEntry } from '../../src/inspector/protocol.ts';

/** Small words and wrong types in the place of every member that the log does not check. */
const anything = fc.oneof(fc.constantFrom(undefined, null, 'x', '', 7, -1, true, Number.NaN), fc.jsonValue());
const members = (...names: readonly string[]) =>
  fc.record(Object.fromEntries(names.map((name) => [name, anything])), { requiredKeys: [] });
const orAnything = (known: fc.Arbitrary<unknown>) => fc.oneof(known, anything);

const source = orAnything(
  fc
    .tuple(
      fc.constantFrom('user', 'agent-message', 'delegated-task', 'subagent-settled', 'other'),
      members('senderSessionId', 'childSessionId', 'outcome', 'summary'),
    )
    .map(([kind, rest]) => ({ ...rest, kind })),
);
const usage = orAnything(members('inputTokens', 'outputTokens', 'cachedInputTokens', 'reasoningTokens'));
const content = [{ type: 'text', text: 'Pears.' }];
const reason = fc
  .tuple(orAnything(fc.constantFrom('aborted', 'error')), members('cause', 'code', 'message'))
  .map(([kind, rest]) => ({ ...rest, kind }));

/** What a log lets through: data that is right where it is checked, and anything elsewhere. */
const events = fc.oneof(
  source.map((one) => ['user/message', { id: 'm1', role: 'user', content, source: one }] as const),
  fc
    .tuple(usage, members('finish', 'model', 'interrupted'))
    .map(([one, rest]) => [
      'assistant/message',
      { ...rest, usage: one, id: 'm2', role: 'assistant', content },
    ]),
  members('outcome', 'structured').map((rest) => [
    'tool/result',
    { ...rest, role: 'tool', callId: 'c', name: 'list_files', content },
  ]),
  reason.map((one) => ['turn/end', { turn: 0, reason: one }]),
  orAnything(members('outcome', 'duration', 'usage')).map((data) => ['subagent/ended', data]),
  orAnything(members('value')).map((data) => ['subagent/descriptor', data]),
  orAnything(members('label', 'provider', 'mode', 'model').map((value) => ({ value }))).map((data) => [
    'subagent/descriptor',
    data,
  ]),
);

const recordOf = ([type, data]: readonly unknown[]): SessionRecord =>
  ({ kind: 'event', event: { seq: 3, time: 1_000, type, data: data ?? null } }) as unknown as SessionRecord;

/** Members of an entry, however deep, that have another type than the page takes them to have. */
function wrong(entry: TranscriptEntry): readonly string[] {
  const texts = [
    'finish',
    'outcome',
    'reason',
    'detail',
    'model',
    'name',
    'id',
    'child',
    'summary',
    'source',
    'text',
  ];
  const numbers = ['input', 'output', 'cachedInput', 'reasoning', 'durationMs', 'turn'];
  const found: string[] = [];
  JSON.stringify(entry, (key: string, value: unknown) => {
    if (texts.includes(key) && typeof value !== 'string') {
      // The input of a tool call, and the text of a reason, have names that are used twice.
      if (!(key === 'input' && typeof value === 'object')) found.push(key);
    }
    if (numbers.includes(key) && typeof value !== 'number' && typeof value !== 'object') found.push(key);
    if (numbers.includes(key) && typeof value === 'number' && !Number.isFinite(value)) found.push(key);
    return value;
  });
  return found;
}

it('shows any record that a log can hold, with members of the types that the page expects [H12]', () => {
  fc.assert(
    fc.property(events, (event) => {
      const entry = transcriptEntry(recordOf(event), { own: 0, labelOf: () => undefined });
      expect(wrong(entry)).toEqual([]);
      const edge = flowEdge('s', recordOf(event));
      if (edge !== undefined) expect(typeof edge.text).toBe('string');
      if (edge?.kind === 'notice')
        expect([typeof edge.from, typeof edge.outcome]).toEqual(['string', 'string']);
    }),
    { seed: 7, numRuns: 2_000 },
  );
});

it('counts only tokens that are numbers [H12]', () => {
  fc.assert(
    fc.property(fc.array(events, { maxLength: 5 }), (some) => {
      const facts = some.map(recordOf).reduce<Facts>(foldRecord, noFacts);
      const { tokens } = spentOf(facts.tokens, undefined);
      for (const count of Object.values(tokens)) expect(Number.isFinite(count)).toBe(true);
      expect(typeof (facts.model ?? '')).toBe('string');
      expect(typeof (facts.outcome ?? '')).toBe('string');
    }),
    { seed: 8, numRuns: 500 },
  );
});
