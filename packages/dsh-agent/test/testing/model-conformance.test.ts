import { describe, expect, it } from 'vitest';
import { modelError, type Model, type ModelEvent } from '@deepseek-ai/dsh-agent';
import { modelConformance, scriptedModel, type ModelBehaviours } from '@deepseek-ai/dsh-agent/testing';

const calls = [1, 2].map((n) => ({ tool: 'echo', input: { n } }));
const scripted: ModelBehaviours = {
  text: () => scriptedModel(['Hello']),
  calls: () => scriptedModel([{ calls }]),
  cut: () => scriptedModel([{ text: 'Hel', cut: true }]),
  stalled: () => scriptedModel([{ text: 'Hel', hold: 'for ever' }]),
  limited: () => scriptedModel([{ error: { status: 429, retryAfterMs: 2000 } }]),
  unauthorized: () => scriptedModel([{ error: { status: 401 } }]),
};

modelConformance({ describe, it, make: scripted });

/** How many cases a set of behaviours fails. */
async function failures(make: ModelBehaviours): Promise<readonly string[]> {
  const cases: (readonly [string, () => Promise<void>])[] = [];
  modelConformance({
    describe: (_name, body) => {
      body();
    },
    it: (name, body) => cases.push([name, body]),
    make,
  });
  const failed: string[] = [];
  for (const [name, body] of cases) await body().catch(() => failed.push(name));
  return failed;
}

const saying = (...events: readonly ModelEvent[]): Model => ({
  id: 'fake',
  async *stream(_request, { signal }) {
    signal.throwIfAborted();
    yield* events;
  },
});
const throwing = (error: unknown): Model => ({
  id: 'fake',
  // eslint-disable-next-line require-yield -- it throws before it could
  async *stream() {
    throw error;
  },
});
const finish = { type: 'finish', reason: 'stop' } as const;
const hello = { type: 'text', delta: 'Hello' } as const;
const call = (callId: string, n: number): ModelEvent => ({
  type: 'tool-call',
  callId,
  name: 'echo',
  input: `{"n":${n}}`,
});

describe('modelConformance', () => {
  it.each<[string, Partial<ModelBehaviours>]>([
    ['another text', { text: () => saying({ type: 'text', delta: 'Hell' }, finish) }],
    ['no finish', { text: () => saying(hello) }],
    ['two finishes', { text: () => saying(hello, finish, finish) }],
    [
      'two calls under one id',
      { calls: () => saying(call('c', 1), call('c', 2), { ...finish, reason: 'tool-calls' }) },
    ],
    [
      'a call without an id',
      { calls: () => saying(call('', 1), call('c', 2), { ...finish, reason: 'tool-calls' }) },
    ],
    ['calls that end as an answer', { calls: () => saying(call('c', 1), call('d', 2), finish) }],
    ['a cut stream with a finish', { cut: () => saying({ type: 'text', delta: 'Hel' }, finish) }],
    ['a foreign error', { unauthorized: () => throwing(new Error('401')) }],
    [
      'a rate limit without its delay',
      { limited: () => throwing(modelError('RATE_LIMITED', 'x', { retryable: true })) },
    ],
    [
      'a rate limit that is final',
      { limited: () => throwing(modelError('RATE_LIMITED', 'x', { retryable: false, retryAfterMs: 2000 })) },
    ],
    ['a stream that ends in silence when it is aborted', { stalled: () => saying(hello) }],
  ])('goes red on %s', async (_what, broken) => {
    expect(await failures({ ...scripted, ...broken })).toHaveLength(1);
  });

  it('goes red on a model that does not look at its signal', async () => {
    const deaf: Model = {
      id: 'deaf',
      stream: (request) => scriptedModel(['Hello']).stream(request, { signal: new AbortController().signal }),
    };
    expect(await failures({ ...scripted, text: () => deaf })).toEqual([
      'throws the reason of a signal that has aborted before',
    ]);
  });
});
