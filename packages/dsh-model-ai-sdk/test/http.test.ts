import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createAnthropic } from '@ai-sdk/anthropic';
import { createDeepSeek } from '@ai-sdk/deepseek';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { LLMock } from '@copilotkit/aimock';
import type { Message, MessageId, Model, ModelEvent, ModelRequest } from '@deepseek-ai/dsh-agent';
import { aiSdkModel } from '@deepseek-ai/dsh-model-ai-sdk';
import { failureOf, read, reading, requestOf, textOf, user } from './reading.ts';

const server = new LLMock({ chunkSize: 4 });
let url: string;
beforeAll(async () => {
  url = await server.start();
});
afterAll(async () => {
  await server.stop();
});
beforeEach(() => {
  server.reset();
});

/** The last request as it left: the journal of the server holds it in another form. */
let sent = '';
const recording: typeof fetch = async (input, init) => {
  sent = typeof init?.body === 'string' ? init.body : '';
  return fetch(input, init);
};
const settings = () => ({ baseURL: `${url}/v1`, apiKey: 'k', fetch: recording });

const providers: readonly (readonly [name: string, model: () => Model, replayed: string])[] = [
  [
    'openai-compatible',
    () => aiSdkModel(createOpenAICompatible({ ...settings(), name: 'mock', includeUsage: true })('m')),
    '"reasoning_content":"I should look."',
  ],
  [
    'deepseek',
    () => aiSdkModel(createDeepSeek(settings())('deepseek-v4-flash')),
    '"reasoning_content":"I should look."',
  ],
  [
    'anthropic',
    () => aiSdkModel(createAnthropic(settings())('claude-sonnet-4-5')),
    '"thinking":"I should look.","signature":"sig=="',
  ],
];

const inputSchema = { type: 'object', properties: { city: { type: 'string' } } } as const;
const tools = [{ name: 'weather', description: 'The weather of a city.', inputSchema }];
const withTools = (...messages: readonly Message[]): ModelRequest => ({ ...requestOf(...messages), tools });
const calls = (events: readonly ModelEvent[]) => events.filter((event) => event.type === 'tool-call');

type Block = Extract<Message, { role: 'assistant' }>['content'][number];

/** What an agent logs of a stream, for the next request. */
function answerOf(events: readonly ModelEvent[]): Message {
  const content: Block[] = [];
  let open = false;
  for (const event of events) {
    const last = content.at(-1);
    if (event.type === 'text' || event.type === 'reasoning') {
      const grows = open && last?.type === event.type;
      const text = (grows ? last.text : '') + event.delta;
      content.splice(content.length - (grows ? 1 : 0), 1, { type: event.type, text });
    }
    if (event.type === 'block-end' && last !== undefined) {
      content.splice(-1, 1, { ...last, providerMetadata: event.providerMetadata ?? {} } as Block);
    }
    if (event.type === 'tool-call') {
      const { callId, name, input, providerMetadata = {} } = event;
      content.push({ type: 'tool-call', callId, name, input: JSON.parse(input) as string, providerMetadata });
    }
    open = event.type === 'text' || event.type === 'reasoning';
  }
  return { id: 'a' as MessageId, role: 'assistant', content, finish: 'tool-calls' };
}

describe.each(providers)('over HTTP with %s', (_name, model, wanted) => {
  it('streams an answer piece by piece, with its usage', async () => {
    const usage = { prompt_tokens: 11, completion_tokens: 5, input_tokens: 11, output_tokens: 5 };
    server.onMessage('hello', { content: 'Hello to you too.', usage });
    const events = await read(model(), requestOf(user('hello')));
    expect(textOf(events)).toBe('Hello to you too.');
    expect(events.filter(({ type }) => type === 'text').length).toBeGreaterThan(2);
    expect(events.at(-1)).toMatchObject({
      type: 'finish',
      reason: 'stop',
      usage: { inputTokens: 11, outputTokens: 5 },
    });
  });

  it('goes round with parallel calls and their results, one of them an error [A14]', async () => {
    const toolCalls = ['Rome', 'Oslo'].map((city, index) => ({
      name: 'weather',
      arguments: JSON.stringify({ city }),
      id: `call_${index}`,
    }));
    server.on({ hasToolResult: false }, { toolCalls });
    server.on({ hasToolResult: true }, { content: 'Rome is warm.' });
    const asked = await read(model(), withTools(user('weather?')));
    expect(calls(asked)).toMatchObject(
      toolCalls.map(({ id, arguments: input }) => ({ callId: id, name: 'weather', input })),
    );
    expect(asked.at(-1)).toMatchObject({ type: 'finish', reason: 'tool-calls' });

    const result = (callId: string, text: string, outcome: 'ok' | 'error'): Message => ({
      role: 'tool',
      callId,
      name: 'weather',
      content: [{ type: 'text', text }],
      outcome,
    });
    const results = [result('call_0', '30 degrees', 'ok'), result('call_1', 'no such city', 'error')];
    const told = await read(model(), withTools(user('weather?'), answerOf(asked), ...results));
    expect(textOf(told)).toBe('Rome is warm.');
    for (const part of ['call_0', 'call_1', '30 degrees', 'no such city', 'Oslo'])
      expect(sent).toContain(part);
  });

  it('reads a 429 with its delay [A15]', async () => {
    server.onMessage('hi', {
      error: { message: 'slow down', type: 'rate_limit_error' },
      status: 429,
      retryAfter: 7,
    });
    expect(await failureOf(model())).toMatchObject({
      code: 'RATE_LIMITED',
      retryable: true,
      retryAfterMs: 7000,
    });
    expect(server.getRequests()).toHaveLength(1);
  });

  it.each([
    [500, 'OVERLOADED', true],
    [401, 'UNAUTHORIZED', false],
    [400, 'BAD_REQUEST', false],
    [400, 'CONTEXT_OVERFLOW', false, 'prompt is too long: 9 tokens > 8 maximum'],
  ])('reads a %s as %s, and asks once [A15]', async (status, code, retryable, message = 'no') => {
    server.onMessage('hi', { error: { message, type: 'some_type' }, status });
    expect(await failureOf(model())).toMatchObject({ code, retryable });
    expect(server.getRequests()).toHaveLength(1);
  });

  it('never takes a stream that broke in the middle for a whole answer [A15]', async () => {
    server.onMessage(
      'hi',
      { content: 'a rather long answer that is never told' },
      { truncateAfterChunks: 6, latency: 10 },
    );
    const broken = reading(model());
    const outcome = await broken.ended.then(
      (events) => events.at(-1)?.type,
      (error: unknown) => error,
    );
    expect(outcome).toMatchObject({ code: 'CUT_STREAM', retryable: true });
    expect(textOf(broken.events)).toMatch(/^a ra/);
  });

  it('stops a slow stream when the signal aborts, and the server sees it', async () => {
    server.onMessage('hi', { content: 'one two three four five six' }, { latency: 200 });
    const controller = new AbortController();
    const reason = new Error('stop');
    const seen: string[] = [];
    const work = (async () => {
      for await (const { type } of model().stream(requestOf(user('hi')), { signal: controller.signal })) {
        seen.push(type);
        controller.abort(reason);
      }
    })();
    await expect(work).rejects.toBe(reason);
    expect(seen).toHaveLength(1);
  });

  it('hands on arguments that are no JSON as text, and can send them back [A14]', async () => {
    server.on({ hasToolResult: false }, { toolCalls: [{ name: 'weather', arguments: '{"city":', id: 'c' }] });
    server.on({ hasToolResult: true }, { content: 'sorry' });
    const asked = await read(model(), withTools(user('weather?')));
    const call = calls(asked)[0];
    expect(call).toMatchObject({ callId: 'c', name: 'weather' });
    const bad: Message = {
      id: 'a' as MessageId,
      role: 'assistant',
      content: [{ type: 'tool-call', callId: 'c', name: 'weather', input: '{"city":', malformed: true }],
      finish: 'tool-calls',
    };
    const told: Message = {
      role: 'tool',
      callId: 'c',
      name: 'weather',
      content: [{ type: 'text', text: 'no JSON' }],
      outcome: 'error',
    };
    expect(textOf(await read(model(), withTools(user('weather?'), bad, told)))).toBe('sorry');
  });

  it('replays reasoning the way the provider wants it back [A16]', async () => {
    const toolCalls = [{ name: 'weather', arguments: '{"city":"Rome"}', id: 'c' }];
    const response = { toolCalls, reasoning: 'I should look.', reasoningSignature: 'sig==' };
    server.on({ hasToolResult: false }, response);
    server.on({ hasToolResult: true }, { content: 'warm' });
    const asked = await read(model(), withTools(user('weather?')));
    expect(asked.map((event) => (event.type === 'reasoning' ? event.delta : '')).join('')).toBe(
      'I should look.',
    );
    const told: Message = {
      role: 'tool',
      callId: 'c',
      name: 'weather',
      content: [{ type: 'text', text: '30' }],
      outcome: 'ok',
    };
    await read(model(), withTools(user('weather?'), answerOf(asked), told, user('and quickly')));
    expect(sent).toContain(wanted);
  });
});

describe('over HTTP', () => {
  it('says that nobody listens', async () => {
    const model = aiSdkModel(createOpenAICompatible({ name: 'mock', baseURL: 'http://127.0.0.1:1/v1' })('m'));
    expect(await failureOf(model)).toMatchObject({ code: 'UNREACHABLE', retryable: true });
  });

  it('says that a key is missing', async () => {
    const model = aiSdkModel(
      createDeepSeek({ baseURL: url, apiKey: undefined as unknown as string })('deepseek-chat'),
    );
    expect(await failureOf(model)).toMatchObject({ code: 'UNAUTHORIZED', retryable: false });
  });
});
