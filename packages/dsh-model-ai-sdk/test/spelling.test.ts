/** What a log holds and a provider would refuse for its form: the request is made all the same, and every later one. */
import type { LanguageModelV4Message } from '@ai-sdk/provider';
import { expect, it } from 'vitest';
import { simulateReadableStream } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { aiSdkModel } from '@deepseek-ai/dsh-model-ai-sdk';
import type { Message, MessageId, ModelRequest } from '@deepseek-ai/dsh-agent';
import { read, requestOf, user } from './reading.ts';

type Content = Extract<Message, { role: 'assistant' }>['content'];
const assistant = (...content: Content): Message => ({
  id: 'a' as MessageId,
  role: 'assistant',
  content,
  finish: 'stop',
});
const call = (callId: string, name: string): Content[number] => ({
  type: 'tool-call',
  callId,
  name,
  input: {},
});
const result = (callId: string, name: string): Message => ({
  role: 'tool',
  callId,
  name,
  content: [{ type: 'text', text: 'no' }],
  outcome: 'error',
});

/** What a provider of that name gets to see. */
async function promptFor(
  provider: string,
  request: ModelRequest,
): Promise<readonly LanguageModelV4Message[]> {
  const model = new MockLanguageModelV4({
    provider,
    doStream: async () => ({
      stream: simulateReadableStream({ chunks: [], initialDelayInMs: null, chunkDelayInMs: null }),
    }),
  });
  await read(aiSdkModel(model), request);
  return model.doStreamCalls[0]?.prompt ?? [];
}

/** Id and name of every call and every result, in their order. */
function spelled(prompt: readonly LanguageModelV4Message[]): readonly string[] {
  return prompt.flatMap(({ content }) =>
    (typeof content === 'string' ? [] : content).flatMap((part) =>
      part.type === 'tool-call' || part.type === 'tool-result' ? [`${part.toolCallId} ${part.toolName}`] : [],
    ),
  );
}

it.each(['anthropic.messages', 'openai.chat'])(
  'leaves out texts of white space alone: %s',
  async (provider) => {
    const request = requestOf(
      user(' \n'),
      user('hi'),
      assistant({ type: 'text', text: '\n\n' }, call('c1', 'look')),
      result('c1', 'look'),
      assistant({ type: 'text', text: ' ', providerMetadata: { their: { id: 'm1' } } }),
    );
    const prompt = await promptFor(provider, request);
    expect(prompt.map(({ role, content }) => [role, content.length])).toEqual([
      ['user', 1],
      ['assistant', 1],
      ['tool', 1],
      ['assistant', 1],
    ]);
    expect(prompt[3]).toMatchObject({ content: [{ text: ' ', providerOptions: { their: { id: 'm1' } } }] });
  },
);

it('spells a name that no tool has in the common form, with its result, and keeps the names of tools [A14]', async () => {
  const messages = ['files.read', 'bad name/ü', '', 'x'.repeat(80), 'own.tool', 'look'].flatMap(
    (name, index) => [assistant(call(`c${index}`, name)), result(`c${index}`, name)],
  );
  const tools = [{ name: 'own.tool', description: '', inputSchema: {} }];
  const names = ['files_read', 'bad_name__', 'unnamed', 'x'.repeat(64), 'own.tool', 'look'];
  expect(spelled(await promptFor('openai.chat', { route: 'r', tools, messages }))).toEqual(
    names.flatMap((name, index) => [`c${index} ${name}`, `c${index} ${name}`]),
  );
});

it.each([
  ['anthropic.messages', ['functions_2e_read_3a_0', 'functions_2f_read_3a_0', 'toolu_01-x']],
  ['vertex.anthropic.messages', ['functions_2e_read_3a_0', 'functions_2f_read_3a_0', 'toolu_01-x']],
  ['amazon-bedrock', ['functions_2e_read_3a_0', 'functions_2f_read_3a_0', 'toolu_01-x']],
  ['moonshot.chat', ['functions.read:0', 'functions/read:0', 'toolu_01-x']],
])('spells ids of calls of another provider so that %s takes them [A16]', async (provider, ids) => {
  const given = ['functions.read:0', 'functions/read:0', 'toolu_01-x'];
  const messages = given.flatMap((id) => [assistant(call(id, 'look')), result(id, 'look')]);
  expect(spelled(await promptFor(provider, requestOf(...messages)))).toEqual(
    ids.flatMap((id) => [`${id} look`, `${id} look`]),
  );
});
