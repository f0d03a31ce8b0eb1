import { LLMock, type ChatMessage } from '@copilotkit/aimock';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dsh, temporaryFolder } from './command-line.ts';
import { jsonLines } from './stable-transcript.ts';

const server = new LLMock({ chunkSize: 4 });
let url: string;
beforeAll(async () => {
  url = await server.start();
});
afterAll(async () => {
  await server.stop();
});

const textOf = ({ content }: ChatMessage): string =>
  typeof content === 'string' ? content : (content ?? []).map((part) => part.text ?? '').join('\n');
const call = (name: string, input: object) => ({
  toolCalls: [{ name, arguments: JSON.stringify(input) }],
});

/** A parent that delegates once, and a child that reports once. */
function answer(messages: readonly ChatMessage[]) {
  const all = messages.map(textOf).join('\n');
  const last = messages.at(-1);
  const parentId = /gave you this task has the id "([^"]+)"/.exec(all)?.[1];
  if (parentId !== undefined) {
    return last?.role === 'tool'
      ? { content: 'Reported.' }
      : call('send_message', { agent_id: parentId, message: 'Pears are ripe in September.' });
  }
  if (last?.role === 'tool') return { content: 'A helper is at work.' };
  if (last !== undefined && textOf(last).includes('Compare')) {
    return call('subagent', { description: 'pears', prompt: 'Study pears.' });
  }
  return { content: all.includes('has ended') ? 'Pears are ripe in September, says the helper.' : 'Noted.' };
}

const environment = { OPENAI_COMPATIBLE_API_KEY: 'secret-key' };

describe('dsh run --model, against an independent server', () => {
  it('streams, calls subagent and send_message, and ends [H8]', { timeout: 60_000 }, async () => {
    server.addFixture({ match: {}, response: (request) => answer(request.messages) });
    using folder = temporaryFolder();
    const args = ['run', 'Compare pears and plums.', '--store', folder.path];
    const model = ['--model', 'openai-compatible/mock', '--base-url', `${url}/v1`];
    const ended = await dsh([...args, ...model, '--json'], { environment });
    expect([ended.err, ended.code]).toEqual(['', 0]);
    const lines = jsonLines(ended.out);
    const calls = lines.flatMap(({ content }) =>
      (Array.isArray(content) ? (content as { type: string; name?: string }[]) : []).flatMap(
        ({ type, name }) => (type === 'tool-call' ? [name] : []),
      ),
    );
    expect(calls).toEqual(['subagent', 'send_message']);
    expect(lines.at(-1)).toMatchObject({
      outcome: 'completed',
      answer: 'Pears are ripe in September, says the helper.',
      activations: 1,
    });
    const requests = server.getRequests();
    expect(requests.length).toBeGreaterThan(3);
    for (const { body } of requests) expect(body).toMatchObject({ stream: true, model: 'mock' });
    expect(JSON.stringify(lines)).not.toContain('secret-key');
  });

  it('shows the text of the root while it comes [H8]', { timeout: 60_000 }, async () => {
    using folder = temporaryFolder();
    const pieces: string[] = [];
    const model = ['--model', 'openai-compatible/mock', '--base-url', `${url}/v1`];
    const ended = await dsh(['run', 'Hello.', '--store', folder.path, ...model], {
      environment,
      onText: (text) => pieces.push(text),
    });
    expect(ended.code).toBe(0);
    expect(pieces.slice(1, 4)).toEqual(['root ', 'Note', 'd.']);
  });
});

describe('a model that cannot be asked', () => {
  const mistakes: readonly [args: readonly string[], line: string][] = [
    [['--model', 'deepseek/chat'], 'dsh: the model deepseek/chat needs a key: set DEEPSEEK_API_KEY\n'],
    [['--model', 'anthropic/claude'], 'dsh: the model anthropic/claude needs a key: set ANTHROPIC_API_KEY\n'],
    [
      ['--model', 'openai-compatible/m', '--base-url', 'http://127.0.0.1:1'],
      'dsh: the model openai-compatible/m needs a key: set OPENAI_COMPATIBLE_API_KEY\n',
    ],
    [['--model', 'openai-compatible/m'], 'dsh: the model openai-compatible/m needs --base-url\n'],
    [
      ['--model', 'pear'],
      'dsh: "pear" is no model: write provider/model, with one of the providers deepseek, anthropic, openai-compatible\n',
    ],
    [
      ['--model', 'constructor/pear'],
      'dsh: "constructor/pear" is no model: write provider/model, with one of the providers deepseek, anthropic, openai-compatible\n',
    ],
    [[], 'dsh: name a model with --model provider/model, or a script with --scenario FILE\n'],
  ];
  it.each(mistakes)('is one line that names what is missing: %j [H8]', async (args, line) => {
    using folder = temporaryFolder();
    const { code, err, out } = await dsh(['run', 'Hello.', '--store', folder.path, ...args]);
    expect({ code, err, out }).toEqual({ code: 2, err: line, out: '' });
  });
});
