import { readFile } from 'node:fs/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createDeepSeek } from '@ai-sdk/deepseek';
import type { Message, MessageId, Model } from '@deepseek-ai/dsh-agent';
import { aiSdkModel } from '@deepseek-ai/dsh-model-ai-sdk';
import { read, requestOf, textOf, user } from './reading.ts';
import { models, openai } from './readme-models.ts';
import { anthropicWire, answerText, deepseekWire, openaiWire, type Wire } from './wire.ts';

afterEach(() => {
  vi.unstubAllGlobals();
});

/** Answers every request as `wire` does, and gives what was asked where. */
function internet(wire: Wire): { readonly url: string; readonly body: string }[] {
  const asked: { url: string; body: string }[] = [];
  vi.stubGlobal('fetch', (url: string | URL, init: { readonly body: string }) => {
    asked.push({ url: String(url), body: init.body });
    const headers = { 'content-type': 'text/event-stream' };
    return Promise.resolve(new Response(answerText(wire, 'stop', wire.text(0, 'Now.')), { headers }));
  });
  return asked;
}

const request = { ...requestOf(user('hi')), system: 'Be brief.' };

describe('the README', () => {
  it('shows the models that are tried here', async () => {
    const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');
    const source = await readFile(new URL('readme-models.ts', import.meta.url), 'utf8');
    const lines = source
      .split('\n')
      .filter((line) => line !== '' && !/^(?:\/\*|export|const (?:apiKey|baseURL) )/.test(line));
    expect(lines.filter((line) => !readme.includes(line) && !line.startsWith('import type'))).toEqual([]);
  });

  it.each([
    [
      'openai',
      openaiWire,
      'https://api.openai.com/v1/chat/completions',
      ['"model":"gpt-5"', '"max_tokens":1000'],
    ],
    [
      'claude',
      anthropicWire,
      'https://api.anthropic.com/v1/messages',
      ['"thinking":{"type":"enabled","budget_tokens":4000}', '"cache_control":{"type":"ephemeral"}'],
    ],
    [
      'deepseek',
      deepseekWire,
      'https://api.deepseek.com/chat/completions',
      ['"thinking":{"type":"enabled"}'],
    ],
  ])('has a model %s that asks where and what it says', async (name, wire, url, parts) => {
    const asked = internet(wire);
    const model = models(name) ?? openai;
    expect(textOf(await read(model, request))).toBe('Now.');
    expect(asked.map((one) => one.url)).toEqual([url]);
    for (const part of parts) expect(asked[0]?.body).toContain(part);
  });

  it.each([
    ['deepseek-v4-flash', true],
    ['deepseek-flash', true],
    ['deepseek-pro', true],
    ['deepseek-chat', false],
    ['deepseek-reasoner', false],
  ])(
    'tells of which DeepSeek models reasoning goes back past a later message: %s %s [A16]',
    async (id, goes) => {
      const asked = internet(deepseekWire);
      const model: Model = aiSdkModel(createDeepSeek({ apiKey: 'k' })(id));
      const thought: Message = {
        id: 'a' as MessageId,
        role: 'assistant',
        content: [
          { type: 'reasoning', text: 'Hm.' },
          { type: 'text', text: 'Yes.' },
        ],
        finish: 'stop',
      };
      await read(model, requestOf(user('hi'), thought, user('and?')));
      expect(asked[0]?.body.includes('"reasoning_content":"Hm."')).toBe(goes);
    },
  );
});
