import { createAnthropic } from '@ai-sdk/anthropic';
import { createDeepSeek } from '@ai-sdk/deepseek';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { Model } from '@deepseek-ai/dsh-agent';
import { aiSdkModel, type LanguageModel } from '@deepseek-ai/dsh-model-ai-sdk';
import { chunkOf } from './http-server.ts';

type Item = Readonly<Record<string, unknown>>;
export interface WireCall {
  readonly id: string;
  readonly name: string;
  /** The arguments, in the pieces in which they are sent. */
  readonly pieces: readonly string[];
}

/** One provider: its model object, and its way to stream. `at` is the place of a block in the answer, from 0. */
export interface Wire {
  readonly name: string;
  readonly model: (url: string, apiKey?: string) => Model;
  readonly begin: readonly object[];
  readonly text: (at: number, ...pieces: readonly string[]) => readonly object[];
  readonly reasoning: (at: number, text: string, signature: string) => readonly object[];
  readonly call: (at: number, call: WireCall) => readonly object[];
  /** Its words for the reasons of the port; any other text stands for itself. */
  readonly finish: (reason: string) => readonly object[];
  /** What follows the last item. */
  readonly done: string;
  /** The body of a refusal. */
  readonly error: (message: string, code?: string) => object;
}

const clock = { now: () => Date.UTC(2026, 0, 1, 12, 0, 0) };
const adapted = (model: LanguageModel): Model => aiSdkModel(model, { clock });

const openaiReasons: Item = { 'max-tokens': 'length', refused: 'content_filter', 'tool-calls': 'tool_calls' };
const chat: Omit<Wire, 'name' | 'model'> = {
  begin: [chunkOf({ role: 'assistant', content: '' })],
  text: (_at, ...pieces) => pieces.map((content) => chunkOf({ content })),
  reasoning: (_at, text) => Array.from(text, (reasoning_content) => chunkOf({ reasoning_content })),
  call: (index, { id, name, pieces }) => [
    chunkOf({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] }),
    ...pieces.map((piece) => chunkOf({ tool_calls: [{ index, function: { arguments: piece } }] })),
  ],
  finish: (reason) => [chunkOf({}, (openaiReasons[reason] as string | undefined) ?? reason)],
  done: 'data: [DONE]\n\n',
  error: (message, code) => ({ error: { message, type: 'some_type', code } }),
};

const anthropicReasons: Item = {
  stop: 'end_turn',
  'max-tokens': 'max_tokens',
  refused: 'refusal',
  'tool-calls': 'tool_use',
};
const deltas = (index: number, all: readonly object[]) =>
  all.map((delta) => ({ type: 'content_block_delta', index, delta }));
const block = (index: number, content_block: object, ...parts: readonly object[]) => [
  { type: 'content_block_start', index, content_block },
  ...deltas(index, parts),
  { type: 'content_block_stop', index },
];
const usage = { input_tokens: 11, output_tokens: 5 };
const messages: Omit<Wire, 'name' | 'model'> = {
  begin: [
    {
      type: 'message_start',
      message: { id: 'm', type: 'message', role: 'assistant', model: 'm', content: [], usage },
    },
  ],
  text: (at, ...pieces) =>
    block(at, { type: 'text', text: '' }, ...pieces.map((text) => ({ type: 'text_delta', text }))),
  reasoning: (at, text, signature) =>
    block(
      at,
      { type: 'thinking', thinking: '' },
      ...Array.from(text, (thinking) => ({ type: 'thinking_delta', thinking })),
      { type: 'signature_delta', signature },
    ),
  call: (at, { id, name, pieces }) =>
    block(
      at,
      { type: 'tool_use', id, name, input: {} },
      ...pieces.map((partial_json) => ({ type: 'input_json_delta', partial_json })),
    ),
  finish: (reason) => [
    { type: 'message_delta', delta: { stop_reason: anthropicReasons[reason] ?? reason }, usage },
    { type: 'message_stop' },
  ],
  done: '',
  error: (message, type = 'some_error') => ({ type: 'error', error: { type, message } }),
};

export const openaiWire: Wire = {
  ...chat,
  name: 'openai-compatible',
  model: (baseURL, apiKey = 'k') =>
    adapted(createOpenAICompatible({ name: 'mock', baseURL, apiKey, includeUsage: true })('m')),
};
export const deepseekWire: Wire = {
  ...chat,
  name: 'deepseek',
  model: (baseURL, apiKey = 'k') => adapted(createDeepSeek({ baseURL, apiKey })('deepseek-v4-flash')),
};
export const anthropicWire: Wire = {
  ...messages,
  name: 'anthropic',
  model: (baseURL, apiKey = 'k') => adapted(createAnthropic({ baseURL, apiKey })('claude-sonnet-4-5')),
};
export const wires: readonly Wire[] = [openaiWire, anthropicWire, deepseekWire];

/** The bytes of these items as server-sent events. */
export function eventText(items: readonly object[], newline = '\n'): string {
  return items
    .map((item) => {
      const named = 'type' in item ? `event: ${String(item.type)}${newline}` : '';
      return `${named}data: ${JSON.stringify(item)}${newline}${newline}`;
    })
    .join('');
}

/** A whole answer of these items. */
export function answerText(wire: Wire, reason: string, ...items: readonly (readonly object[])[]): string {
  return eventText([...wire.begin, ...items.flat(), ...wire.finish(reason)]) + wire.done;
}
