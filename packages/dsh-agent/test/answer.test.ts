import type { MessageId } from '@deepseek-ai/dsh-session';
import { expect, it } from 'vitest';
import { createAnswer } from '../src/answer.ts';
import type { ModelEvent } from '../src/model.ts';

const id = 'a1' as MessageId;
const draft = (...events: readonly ModelEvent[]) => {
  const answer = createAnswer();
  for (const event of events) answer.add(event);
  return answer;
};
const stop: ModelEvent = { type: 'finish', reason: 'stop' };
const call = (input: string, callId = 'c1'): ModelEvent => ({
  type: 'tool-call',
  callId,
  name: 'echo',
  input,
});

it('joins deltas of one kind, and keeps what the provider wants back with its block [A16]', () => {
  const answer = draft(
    { type: 'reasoning', delta: 'hm' },
    { type: 'reasoning', delta: 'm' },
    { type: 'block-end', providerMetadata: { signature: 'x' } },
    { type: 'text', delta: 'a' },
    { type: 'text', delta: 'b' },
    call('{"n":1}'),
    { type: 'finish', reason: 'tool-calls', usage: { inputTokens: 3, outputTokens: 2 } },
    { type: 'text', delta: 'late' },
  );
  expect(answer.message(id, 'main')).toEqual({
    id,
    role: 'assistant',
    content: [
      { type: 'reasoning', text: 'hmm', providerMetadata: { signature: 'x' } },
      { type: 'text', text: 'ab' },
      { type: 'tool-call', callId: 'c1', name: 'echo', input: { n: 1 } },
    ],
    finish: 'tool-calls',
    usage: { inputTokens: 3, outputTokens: 2 },
    model: 'main',
  });
});

it('keeps a block without text that carries provider metadata [A16]', () => {
  const answer = draft(
    { type: 'reasoning', delta: '' },
    { type: 'block-end', providerMetadata: { redacted: 'r' } },
    stop,
  );
  expect(answer.message(id, 'main')?.content).toEqual([
    { type: 'reasoning', text: '', providerMetadata: { redacted: 'r' } },
  ]);
});

it('is no answer without finish [A15]', () => {
  expect(draft({ type: 'text', delta: 'a' }).message(id, 'main')).toBeUndefined();
});

it('keeps the text of a cut answer, without calls and without reasoning that is still open [A15]', () => {
  const answer = draft({ type: 'text', delta: 'half' }, call('{}'), { type: 'reasoning', delta: 'open' });
  expect(answer.partial(id, 'main')).toEqual({
    id,
    role: 'assistant',
    content: [{ type: 'text', text: 'half' }],
    finish: 'other',
    interrupted: true,
    model: 'main',
  });
  expect(draft({ type: 'reasoning', delta: 'only' }).partial(id, 'main')).toBeUndefined();
});

it.each([
  ['', { input: {} }],
  ['{"a":-0}', { input: { a: 0 } }],
  ['{"a":', { input: '{"a":', malformed: true }],
  [`${'['.repeat(2_000)}${']'.repeat(2_000)}`, { malformed: true }],
])('reads the arguments %j as what JSON keeps [A14]', (text, block) => {
  expect(draft(call(text), stop).message(id, 'main')?.content[0]).toMatchObject(block);
});

it('gives every call of an answer an id of its own [A14]', () => {
  const answer = draft(call('{}', 'c'), call('{}', 'c'), call('{}', ''), stop);
  expect(answer.message(id, 'main')?.content).toMatchObject([
    { callId: 'c' },
    { callId: 'c-2' },
    { callId: 'call-2' },
  ]);
});
