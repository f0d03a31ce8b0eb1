import { describe, expect, it } from 'vitest';
import { createDeepSeek } from '@ai-sdk/deepseek';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { Model } from '@deepseek-ai/dsh-agent';
import { aiSdkModel } from '@deepseek-ai/dsh-model-ai-sdk';
import { agentOver } from './agent-over.ts';
import { chunkOf, rawServer, sendEvents } from './http-server.ts';
import { failureOf, read, reading, textOf } from './reading.ts';
import { anthropicWire, answerText, wires } from './wire.ts';

/** When the clock of the wires stands. */
const now = Date.UTC(2026, 0, 1, 12, 0, 0);
const openai = (baseURL: string): Model =>
  aiSdkModel(createOpenAICompatible({ name: 'raw', baseURL, includeUsage: true })('m'));
const deepseek = (baseURL: string): Model =>
  aiSdkModel(createDeepSeek({ baseURL, apiKey: 'k' })('deepseek-chat'));

describe('over HTTP, byte by byte', () => {
  it.each([
    ['openai-compatible', openai],
    ['deepseek', deepseek],
  ])(
    'takes a stream of %s that ends in order but without a reason for a cut one [A15]',
    async (_name, make) => {
      const { url } = await rawServer((response) => {
        sendEvents(response, chunkOf({ role: 'assistant', content: 'half an ans' }));
        response.end();
      });
      const cut = reading(make(url));
      await expect(cut.ended).rejects.toMatchObject({ code: 'CUT_STREAM', retryable: true });
      expect(textOf(cut.events)).toBe('half an ans');
    },
  );

  it.each(wires)(
    'takes a connection to $name that was torn in the middle of a call for a cut stream [A15]',
    async (wire) => {
      const call = wire.call(0, { id: 'c', name: 'weather', pieces: ['{"ci', 'ty"'] });
      const { url } = await rawServer((response) => {
        sendEvents(response, ...wire.begin, ...call.slice(0, 2));
        response.destroy();
      });
      expect(await failureOf(wire.model(url))).toMatchObject({ code: 'CUT_STREAM', retryable: true });
    },
  );

  it.each(wires)('reads a delay of $name that is a date [A15]', async (wire) => {
    const date = new Date(now + 90_000).toUTCString();
    const { url } = await rawServer((response) => {
      response.writeHead(429, { 'content-type': 'application/json', 'retry-after': date });
      response.end(JSON.stringify(wire.error('slow down')));
    });
    expect(await failureOf(wire.model(url))).toMatchObject({
      code: 'RATE_LIMITED',
      retryable: true,
      retryAfterMs: 90_000,
    });
  });

  it('reads an error that comes inside of a stream [A15]', async () => {
    const { url } = await rawServer((response) => {
      sendEvents(response, chunkOf({ role: 'assistant', content: 'so far' }));
      sendEvents(response, { error: { message: 'The server is overloaded', type: 'server_error' } });
      response.end();
    });
    const failing = reading(openai(url));
    await expect(failing.ended).rejects.toMatchObject({ code: 'OVERLOADED', retryable: true });
    expect(textOf(failing.events)).toBe('so far');
  });

  it.each(wires)('takes a first piece of $name that is no JSON for a bad response [A15]', async (wire) => {
    const { url } = await rawServer((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end('data: {"choices":[\n\n');
    });
    expect(await failureOf(wire.model(url))).toMatchObject({ code: 'BAD_RESPONSE', retryable: true });
  });

  it('joins a character whose halves came in two chunks, and counts cached tokens', async () => {
    const { url } = await rawServer((response) => {
      sendEvents(
        response,
        chunkOf({ role: 'assistant', content: 'a\ud83d' }),
        chunkOf({ content: '\ude00b' }),
      );
      const usage = {
        prompt_tokens: 100,
        completion_tokens: 20,
        prompt_tokens_details: { cached_tokens: 64 },
        completion_tokens_details: { reasoning_tokens: 12 },
      };
      sendEvents(response, chunkOf({}, 'length'), { ...chunkOf({}), choices: [], usage });
      response.end('data: [DONE]\n\n');
    });
    const events = await read(openai(url));
    expect(textOf(events)).toBe('a😀b');
    expect(events.at(-1)).toMatchObject({
      type: 'finish',
      reason: 'max-tokens',
      usage: { inputTokens: 100, outputTokens: 20, cachedInputTokens: 64, reasoningTokens: 12 },
    });
  });

  it('sends thinking that is readable, hidden and without a text back in its order, each as it came [A16]', async () => {
    const thoughts = [
      ...anthropicWire.reasoning(0, 'I should look.', 'sig-1=='),
      {
        type: 'content_block_start',
        index: 1,
        content_block: { type: 'redacted_thinking', data: 'hidden/+=' },
      },
      { type: 'content_block_stop', index: 1 },
      ...anthropicWire.reasoning(2, '', 'sig-2=='),
    ];
    const call = { id: 'c', name: 'weather', pieces: ['{"city":"Rome"}'] };
    const { url, bodies } = await rawServer((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(
        bodies.length === 1
          ? answerText(anthropicWire, 'tool-calls', thoughts, anthropicWire.call(3, call))
          : answerText(anthropicWire, 'stop', anthropicWire.text(0, 'Warm.')),
      );
    });
    const { outcome } = await agentOver(anthropicWire.model(url));
    expect(await outcome()).toMatchObject({ reason: { kind: 'completed' } });
    const { messages } = bodies[1] as { messages: readonly { content: unknown }[] };
    expect(messages[1]?.content).toEqual([
      { type: 'thinking', thinking: 'I should look.', signature: 'sig-1==' },
      { type: 'redacted_thinking', data: 'hidden/+=' },
      { type: 'thinking', thinking: '', signature: 'sig-2==' },
      { type: 'tool_use', id: 'c', name: 'weather', input: { city: 'Rome' } },
    ]);
  });
});
