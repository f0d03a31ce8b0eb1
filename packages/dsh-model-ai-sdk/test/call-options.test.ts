import { describe, expect, it } from 'vitest';
import type { Message, MessageId, ModelRequest } from '@deepseek-ai/dsh-agent';
import { callOptions } from '../src/call-options.ts';
import { callOptionsV3 } from '../src/call-options-v3.ts';
import { requestOf, user } from './reading.ts';

type Assistant = Extract<Message, { role: 'assistant' }>;
type Result = Extract<Message, { role: 'tool' }>;
const assistant = (content: Assistant['content'], rest: Partial<Assistant> = {}): Message => ({
  id: 'a' as MessageId,
  role: 'assistant',
  content,
  finish: 'stop',
  ...rest,
});
const result = (callId: string, content: Result['content'], outcome: Result['outcome'] = 'ok'): Message => ({
  role: 'tool',
  callId,
  name: 'look',
  content,
  outcome,
});
const text = (value: string) => ({ type: 'text', text: value }) as const;
const image = { type: 'image', mediaType: 'image/png', data: 'AAAA' } as const;
const none = { settings: {}, providerOptions: undefined, cacheHint: undefined, plainIds: false };
const promptOf = (...messages: readonly Message[]) => callOptions(requestOf(...messages), none).prompt;

describe('callOptions', () => {
  it('sends reasoning, texts and calls back in their order with their metadata, verbatim [A16]', () => {
    const signed = { anthropic: { signature: 'sig==' } };
    const prompt = promptOf(
      user('hi'),
      assistant([
        { type: 'reasoning', text: 'hm', providerMetadata: signed },
        { type: 'text', text: 'let me look', providerMetadata: { openai: { itemId: 'm1' } } },
        {
          type: 'tool-call',
          callId: 'c1',
          name: 'look',
          input: { at: 'x' },
          providerMetadata: { google: { s: 1 } },
        },
        { type: 'reasoning', text: '', providerMetadata: { anthropic: { redactedData: 'zz' } } },
      ]),
    );
    expect(prompt[1]).toEqual({
      role: 'assistant',
      content: [
        { type: 'reasoning', text: 'hm', providerOptions: signed },
        { type: 'text', text: 'let me look', providerOptions: { openai: { itemId: 'm1' } } },
        {
          type: 'tool-call',
          toolCallId: 'c1',
          toolName: 'look',
          input: { at: 'x' },
          providerOptions: { google: { s: 1 } },
        },
        { type: 'reasoning', text: '', providerOptions: { anthropic: { redactedData: 'zz' } } },
      ],
    });
  });

  it('puts the results of one step into one message, before what came in between [A6]', () => {
    const prompt = promptOf(
      assistant([{ type: 'tool-call', callId: 'c1', name: 'look', input: {} }]),
      result('c1', [text('one'), text('more')]),
      result('c2', [text('two')], 'error'),
      result('c3', [text('never ran')], 'not-started'),
      user('steer'),
      result('c9', [text('later')]),
    );
    expect(prompt.map(({ role }) => role)).toEqual(['assistant', 'tool', 'user', 'tool']);
    expect(prompt[1]).toEqual({
      role: 'tool',
      content: [
        {
          type: 'tool-result',
          toolCallId: 'c1',
          toolName: 'look',
          output: { type: 'text', value: 'one\nmore' },
        },
        {
          type: 'tool-result',
          toolCallId: 'c2',
          toolName: 'look',
          output: { type: 'error-text', value: 'two' },
        },
        {
          type: 'tool-result',
          toolCallId: 'c3',
          toolName: 'look',
          output: { type: 'error-text', value: 'never ran' },
        },
      ],
    });
  });

  it('sends arguments that are no JSON as the text that they are [A14]', () => {
    const prompt = promptOf(
      assistant([{ type: 'tool-call', callId: 'c', name: 'look', input: '{"a":', malformed: true }]),
    );
    expect(prompt[0]).toMatchObject({ content: [{ input: '{"a":' }] });
  });

  it('sends images of people and of tools', () => {
    const file = { type: 'file', mediaType: 'image/png', data: { type: 'data', data: 'AAAA' } };
    const messages: readonly Message[] = [
      { id: 'u' as MessageId, role: 'user', content: [text('what is it?'), image], source: { kind: 'user' } },
      result('c1', [text('see'), image]),
    ];
    const options = callOptions(requestOf(...messages), none);
    expect(options.prompt).toMatchObject([
      { role: 'user', content: [{ type: 'text' }, file] },
      {
        role: 'tool',
        content: [{ output: { type: 'content', value: [{ type: 'text', text: 'see' }, file] } }],
      },
    ]);
    expect(callOptionsV3(options).prompt).toMatchObject([
      { role: 'user', content: [{ type: 'text' }, { type: 'file', mediaType: 'image/png', data: 'AAAA' }] },
      {
        role: 'tool',
        content: [
          {
            output: {
              type: 'content',
              value: [
                { type: 'text', text: 'see' },
                { type: 'image-data', mediaType: 'image/png', data: 'AAAA' },
              ],
            },
          },
        ],
      },
    ]);
  });

  it('shows a result inside of a message, and leaves out blocks that it does not know and messages without content', () => {
    const inner = { type: 'tool-result', callId: 'c', content: [text('inside')] } as const;
    const unknown = { type: 'their/block' } as never;
    const make = (...content: Extract<Message, { role: 'user' }>['content']): Message => ({
      id: 'u' as MessageId,
      role: 'user',
      content,
      source: { kind: 'user' },
    });
    expect(
      promptOf(
        make(inner, unknown),
        make(unknown),
        make(text('')),
        assistant([text('')]),
        assistant([unknown]),
      ),
    ).toEqual([{ role: 'user', content: [{ type: 'text', text: 'inside' }] }]);
  });

  it('leaves out an answer that was cut off in its reasoning, and keeps a whole one', () => {
    const thought = { type: 'reasoning', text: 'hm' } as const;
    expect(promptOf(assistant([thought], { interrupted: true }))).toEqual([]);
    expect(promptOf(assistant([thought]))).toHaveLength(1);
    expect(promptOf(assistant([thought, text('x')], { interrupted: true }))).toHaveLength(1);
  });

  it('makes every text that leaves well-formed', () => {
    const bad = 'x\ud83d';
    const request: ModelRequest = {
      route: 'r',
      system: bad,
      tools: [{ name: 't', description: bad, inputSchema: { title: bad } }],
      messages: [
        user(bad),
        assistant([
          { type: 'reasoning', text: bad },
          { type: 'tool-call', callId: bad, name: 't', input: { [bad]: [bad] } },
        ]),
        result(bad, [text(bad)]),
      ],
    };
    const sent = JSON.stringify(callOptions(request, none));
    expect(sent).not.toContain('\\ud83d');
    expect(sent.split('x\ufffd').length - 1).toBe(10);
  });

  it('hands on tools as they are, in their order, and none where there are none', () => {
    const inputSchema = { type: 'object', properties: { b: {}, a: {} } } as const;
    const tools = ['z', 'a'].map((name) => ({ name, description: `does ${name}`, inputSchema }));
    const options = callOptions({ ...requestOf(user('hi')), tools }, none);
    expect(JSON.stringify(options.tools)).toBe(
      JSON.stringify(
        tools.map(({ name, description }) => ({ type: 'function', name, description, inputSchema })),
      ),
    );
    expect(callOptions(requestOf(user('hi')), none)).not.toHaveProperty('tools');
  });

  it('marks the system prompt and the newest message for the cache, where that is asked for', () => {
    const cacheHint = { anthropic: { cacheControl: { type: 'ephemeral' } } };
    const request = { ...requestOf(user('one'), user('two')), system: 'be kind' };
    const hints = callOptions(request, { ...none, cacheHint }).prompt.map(
      ({ providerOptions }) => providerOptions,
    );
    expect(hints).toEqual([cacheHint, undefined, cacheHint]);
  });

  it('hands on settings and provider options, and an effort that the SDK knows', () => {
    const settings = { maxOutputTokens: 9, temperature: 0, stopSequences: ['END'], headers: { 'x-a': 'b' } };
    const config = { ...none, settings, providerOptions: { p: { thinking: true } } };
    const request = { ...requestOf(user('hi')), effort: 'high' };
    expect(callOptions(request, config)).toMatchObject({
      ...settings,
      providerOptions: { p: { thinking: true } },
      reasoning: 'high',
    });
    expect(callOptions({ ...request, effort: 'turbo' }, config)).not.toHaveProperty('reasoning');
    expect(callOptionsV3(callOptions(request, config))).not.toHaveProperty('reasoning');
  });

  it('gives the provider copies, so that nothing of a frozen log can be changed by it', () => {
    const metadata = Object.freeze({ p: Object.freeze({ s: 1 }) });
    const input = Object.freeze({ a: Object.freeze([1]) });
    const [message] = promptOf(
      assistant([{ type: 'tool-call', callId: 'c', name: 't', input, providerMetadata: metadata }]),
    );
    const [part] = message?.content as unknown as [
      { input: { a: number[] }; providerOptions: { p: { s: number } } },
    ];
    part.input.a.push(2);
    part.providerOptions.p.s = 2;
    expect([metadata, input]).toEqual([{ p: { s: 1 } }, { a: [1] }]);
  });
});
