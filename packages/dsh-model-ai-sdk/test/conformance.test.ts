import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { describe, it } from 'vitest';
import { modelConformance } from '@deepseek-ai/dsh-agent/testing';
import { aiSdkModel } from '@deepseek-ai/dsh-model-ai-sdk';
import { chunkOf, rawServer, sendEvents } from './http-server.ts';

async function modelOver(answer: Parameters<typeof rawServer>[0]) {
  const { url } = await rawServer(answer);
  return aiSdkModel(createOpenAICompatible({ name: 'raw', baseURL: url })('m'));
}
const call = (index: number) => ({
  index,
  id: `c${index}`,
  type: 'function',
  function: { name: 'echo', arguments: `{"n":${index + 1}}` },
});
const refusal = (status: number, headers = {}) =>
  modelOver((response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end('{"error":{"message":"no"}}');
  });

modelConformance({
  describe,
  it,
  make: {
    text: () =>
      modelOver((response) => {
        sendEvents(response, chunkOf({ content: 'Hel' }), chunkOf({ content: 'lo' }), chunkOf({}, 'stop'));
        response.end();
      }),
    calls: () =>
      modelOver((response) => {
        sendEvents(response, chunkOf({ tool_calls: [call(0), call(1)] }), chunkOf({}, 'tool_calls'));
        response.end();
      }),
    cut: () =>
      modelOver((response) => {
        sendEvents(response, chunkOf({ content: 'Hel' }));
        response.end();
      }),
    stalled: () =>
      modelOver((response) => {
        sendEvents(response, chunkOf({ content: 'Hel' }));
      }),
    limited: () => refusal(429, { 'retry-after': '2' }),
    unauthorized: () => refusal(401),
  },
});
