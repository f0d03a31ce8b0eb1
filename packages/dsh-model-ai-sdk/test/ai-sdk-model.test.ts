import { describe, expect, it } from 'vitest';
import type { LanguageModelV3StreamPart, LanguageModelV4StreamPart } from '@ai-sdk/provider';
import { simulateReadableStream } from 'ai';
import { MockLanguageModelV3, MockLanguageModelV4 } from 'ai/test';
import { deferred } from '@dsh-internal/async';
import { aiSdkModel, type LanguageModel } from '@deepseek-ai/dsh-model-ai-sdk';
import { drainMicrotasks } from '@deepseek-ai/dsh-agent/testing';
import { failureOf, read, reading, requestOf, textOf, user } from './reading.ts';

const usage = {
  inputTokens: { total: 3, noCache: 3, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 2, text: 2, reasoning: 0 },
};
const finish = { type: 'finish', finishReason: { unified: 'stop', raw: 'stop' }, usage } as const;
const answer = [
  { type: 'stream-start', warnings: [{ type: 'other', message: 'careful' }] },
  { type: 'text-start', id: '1' },
  { type: 'text-delta', id: '1', delta: 'Hel' },
  { type: 'text-delta', id: '1', delta: 'lo' },
  { type: 'text-end', id: '1' },
  finish,
] as const satisfies readonly LanguageModelV4StreamPart[];
const chunked = (chunks: readonly LanguageModelV4StreamPart[]) =>
  simulateReadableStream({ chunks: [...chunks], initialDelayInMs: null, chunkDelayInMs: null });
const mock = (chunks: readonly LanguageModelV4StreamPart[]) =>
  new MockLanguageModelV4({ doStream: async () => ({ stream: chunked(chunks) }) });

/** A stream that gives one piece and then nothing; it knows whether it was cancelled. */
function silentStream() {
  const state = { cancelled: false };
  const stream = new ReadableStream<LanguageModelV4StreamPart>({
    start(controller) {
      controller.enqueue({ type: 'text-delta', id: '1', delta: 'Hel' });
    },
    cancel() {
      state.cancelled = true;
    },
  });
  return { state, stream };
}

describe('aiSdkModel', () => {
  it('streams what a model of the SDK says', async () => {
    const warnings: string[] = [];
    const events = await read(aiSdkModel(mock(answer), { onWarning: (message) => warnings.push(message) }));
    expect(events).toEqual([
      { type: 'text', delta: 'Hel' },
      { type: 'text', delta: 'lo' },
      { type: 'block-end' },
      {
        type: 'finish',
        reason: 'stop',
        usage: { inputTokens: 3, outputTokens: 2, cachedInputTokens: 0, reasoningTokens: 0 },
      },
    ]);
    expect(warnings).toEqual(['{"type":"other","message":"careful"}']);
  });

  it('speaks to models of specification version 3 in their own form', async () => {
    const model = new MockLanguageModelV3({
      doStream: async () => ({
        stream: simulateReadableStream<LanguageModelV3StreamPart>({
          chunks: [{ type: 'text-delta', id: '1', delta: 'old' }, finish],
          initialDelayInMs: null,
          chunkDelayInMs: null,
        }),
      }),
    });
    const warnings: string[] = [];
    const adapted = aiSdkModel(model, { onWarning: (message) => warnings.push(message) });
    const image = { type: 'image', mediaType: 'image/png', data: 'AAAA' } as const;
    const message = { ...user('see'), content: [image] } as ReturnType<typeof user>;
    expect(textOf(await read(adapted, { ...requestOf(message), effort: 'high' }))).toBe('old');
    expect(model.doStreamCalls[0]?.prompt).toEqual([
      { role: 'user', content: [{ type: 'file', mediaType: 'image/png', data: 'AAAA' }] },
    ]);
    expect(warnings).toEqual(['the effort "high" is only seen by the provider options']);
  });

  it('refuses a model of another specification, naming it', () => {
    const model = { specificationVersion: 'v2', provider: 'p', modelId: 'm' } as unknown as LanguageModel;
    expect(() => aiSdkModel(model)).toThrow(expect.objectContaining({ code: 'INCOMPATIBLE' }) as Error);
  });

  it('is named by provider and model, or as it is told', () => {
    const model = new MockLanguageModelV4({ provider: 'p.chat', modelId: 'm' });
    expect(aiSdkModel(model).id).toBe('p.chat:m');
    expect(aiSdkModel(model, { id: 'mine' }).id).toBe('mine');
  });

  it('makes the provider options for each request where they are a function', async () => {
    const model = mock(answer);
    const adapted = aiSdkModel(model, {
      providerOptions: ({ effort }) => ({ p: { effort: effort ?? 'none' } }),
    });
    await read(adapted, { ...requestOf(user('hi')), effort: 'turbo' });
    expect(model.doStreamCalls[0]).toMatchObject({ providerOptions: { p: { effort: 'turbo' } } });
  });

  it('asks once, and throws a model error with its cause [A15]', async () => {
    const cause = Object.assign(new Error('busy'), {
      statusCode: 503,
      responseHeaders: { 'retry-after': 'Thu, 01 Jan 1970 00:00:09 GMT' },
    });
    const model = new MockLanguageModelV4({
      doStream: async () => {
        throw cause;
      },
    });
    const failure = await failureOf(aiSdkModel(model, { clock: { now: () => 5000 } }));
    expect(failure).toMatchObject({ code: 'OVERLOADED', retryable: true, retryAfterMs: 4000, cause });
    expect(model.doStreamCalls).toHaveLength(1);
  });

  it('throws what is streamed as an error, after what came before it [A15]', async () => {
    const failing = reading(
      aiSdkModel(mock([...answer.slice(0, 3), { type: 'error', error: 'overloaded_error' }])),
    );
    await expect(failing.ended).rejects.toMatchObject({ name: 'ModelError' });
    expect(textOf(failing.events)).toBe('Hel');
  });

  it('ends without a finish where the provider did, so that the agent sees a cut stream [A15]', async () => {
    const events = await read(aiSdkModel(mock(answer.slice(0, 3))));
    expect(events).toEqual([{ type: 'text', delta: 'Hel' }]);
  });

  it('takes a stream that broke for a cut one [A15]', async () => {
    const stream = new ReadableStream<LanguageModelV4StreamPart>({
      start(controller) {
        controller.error(Object.assign(new TypeError('terminated'), { cause: { code: 'UND_ERR_SOCKET' } }));
      },
    });
    const model = new MockLanguageModelV4({ doStream: async () => ({ stream }) });
    expect(await failureOf(aiSdkModel(model))).toMatchObject({ code: 'CUT_STREAM', retryable: true });
  });

  it('ends a stalled stream with the reason of the signal, and cancels it, although the provider ignores the signal', async () => {
    const { state, stream } = silentStream();
    const controller = new AbortController();
    const model = new MockLanguageModelV4({ doStream: async () => ({ stream }) });
    const stalled = reading(aiSdkModel(model), undefined, controller);
    await drainMicrotasks();
    expect(textOf(stalled.events)).toBe('Hel');
    controller.abort(new Error('stop'));
    await expect(stalled.ended).rejects.toThrow('stop');
    expect(state.cancelled).toBe(true);
  });

  it('waits for no answer that does not come, and cancels one that comes too late', async () => {
    const { state, stream } = silentStream();
    const gate = deferred();
    const model = new MockLanguageModelV4({
      doStream: async () => {
        await gate.promise;
        return { stream };
      },
    });
    const controller = new AbortController();
    const waiting = reading(aiSdkModel(model), undefined, controller);
    await drainMicrotasks();
    controller.abort(new Error('stop'));
    await expect(waiting.ended).rejects.toThrow('stop');
    expect(state.cancelled).toBe(false);
    gate.resolve();
    await drainMicrotasks();
    expect(state.cancelled).toBe(true);
  });

  it('asks nothing where the signal has aborted already', async () => {
    const model = mock(answer);
    const aborted = reading(aiSdkModel(model), undefined, { signal: AbortSignal.abort(new Error('before')) });
    await expect(aborted.ended).rejects.toThrow('before');
    expect(model.doStreamCalls).toHaveLength(0);
  });

  it('cancels the stream of a reader that leaves', async () => {
    const { state, stream } = silentStream();
    const model = new MockLanguageModelV4({ doStream: async () => ({ stream }) });
    const iterator = aiSdkModel(model)
      .stream(requestOf(), { signal: new AbortController().signal })
      [Symbol.asyncIterator]();
    await iterator.next();
    await iterator.return?.();
    await drainMicrotasks();
    expect(state.cancelled).toBe(true);
  });

  it('leaves no listener on the signal', async () => {
    const { signal } = new AbortController();
    let listeners = 0;
    const add = signal.addEventListener.bind(signal);
    const remove = signal.removeEventListener.bind(signal);
    signal.addEventListener = (...args: Parameters<typeof add>) => {
      listeners++;
      add(...args);
    };
    signal.removeEventListener = (...args: Parameters<typeof remove>) => {
      listeners--;
      remove(...args);
    };
    await reading(aiSdkModel(mock(answer)), undefined, { signal }).ended;
    expect(listeners).toBeLessThanOrEqual(0);
  });
});
