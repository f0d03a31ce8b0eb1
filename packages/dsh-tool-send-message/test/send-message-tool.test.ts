import { agentError, createToolRegistry, type Agent, type ToolDefinition } from '@deepseek-ai/dsh-agent';
import { newSessionId } from '@deepseek-ai/dsh-session';
import { SEND_MESSAGE_TOOL, SubagentError } from '@deepseek-ai/dsh-subagents';
import { describe, expect, it } from 'vitest';
import { sendMessageTool, type SendMessageInput } from '../src/index.ts';
import { context, fakeRuntime, refusalOf } from './fake-runtime.ts';

const run = (tool: ToolDefinition<SendMessageInput>, message = 'hello', given = {}) =>
  tool.execute({ agent_id: 'kiwi', message }, context(given));

function thrownBy(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return error;
  }
}

describe('the definition', () => {
  it('takes the two strings and nothing else, under one name [T1]', () => {
    const { name, inputSchema } = sendMessageTool(fakeRuntime());
    expect(name).toBe('send_message');
    expect(inputSchema.parse({ agent_id: 'kiwi', message: 'hello' })).toEqual({
      value: { agent_id: 'kiwi', message: 'hello' },
    });
    const refused = [
      {},
      { agent_id: 'kiwi' },
      { message: 'hello' },
      { agent_id: 1, message: 'hello' },
      { agent_id: 'kiwi', message: 'hello', delivery: 'queue' },
    ];
    for (const input of refused) expect(inputSchema.parse(input)).toHaveProperty('issues');
  });

  it('has the same bytes whoever looks, in the place of its registration [T2]', () => {
    const tools = createToolRegistry();
    const other = { ...sendMessageTool(fakeRuntime()), name: 'other', identity: Symbol.for('other') };
    tools.register(sendMessageTool(fakeRuntime()));
    tools.register(other);
    const parent = { id: newSessionId() };
    const child = { id: newSessionId() };
    const bytes = JSON.stringify(tools.schemas(parent));
    expect(JSON.stringify(tools.schemas(child))).toBe(bytes);
    expect(JSON.stringify(tools.schemas())).toBe(bytes);
    expect(tools.schemas(child).map(({ name }) => name)).toEqual(['send_message', 'other']);
  });

  it('carries the standard identity, which a scoped namesake does not have [T2]', () => {
    const tools = createToolRegistry();
    const { name, description, inputSchema } = sendMessageTool(fakeRuntime());
    const namesake = { name, description, inputSchema, execute: () => 'taken' };
    tools.register(sendMessageTool(fakeRuntime()));
    const child = { id: newSessionId() };
    expect(tools.resolve('send_message', child)?.identity).toBe(SEND_MESSAGE_TOOL);
    tools.register(namesake, child);
    expect(tools.resolve('send_message', child)?.identity).toBeUndefined();
    expect(tools.resolve('send_message')?.identity).toBe(SEND_MESSAGE_TOOL);
  });

  it('refuses a runtime of another kind, and names both versions [T1]', () => {
    const runtime = { ...fakeRuntime(), protocol: { name: 'dsh-subagents/runtime', version: 2 } } as const;
    expect(() => sendMessageTool(runtime)).toThrow(/dsh-subagents\/runtime 1.*dsh-subagents\/runtime 2/);
    expect(SubagentError.is(thrownBy(() => sendMessageTool(runtime)))).toBe(true);
  });

  it.each([Number.NaN, 0, -1, '64' as unknown as number])('refuses a bound of %s [T5]', (maxBytes) => {
    expect(thrownBy(() => sendMessageTool(fakeRuntime(), { maxBytes }))).toMatchObject({
      code: 'INVALID_REQUEST',
    });
  });
});

describe('a call', () => {
  it('sends as the calling agent, and promises acceptance only [T3]', async () => {
    const runtime = fakeRuntime();
    const { agent, signal } = context();
    const output = await run(sendMessageTool(runtime), 'hello', { agent, signal });
    const [[sender, target, content, options] = []] = runtime.calls;
    expect([sender, target, content]).toEqual([agent, 'kiwi', [{ type: 'text', text: 'hello' }]]);
    expect(sender).toBe(agent);
    expect(options?.signal).toBe(signal);
    expect(output).toEqual({
      content: 'The message to agent kiwi was accepted.',
      structured: { messageId: options?.messageId },
    });
    expect(JSON.stringify(output)).not.toMatch(/started|queued|resumed|read|woken/);
  });

  it('has one message id when it is repeated, and another one when anything of it differs [T3]', async () => {
    const runtime = fakeRuntime();
    const tool = sendMessageTool(runtime);
    const elsewhere = { agent: { id: 'somebody' } as Agent };
    await run(tool);
    await run(tool);
    await run(tool, 'hello', { callId: 'call-2' });
    await run(tool, 'hello', elsewhere);
    await run(tool, 'something else');
    await tool.execute({ agent_id: 'plum', message: 'hello' }, context());
    const ids = runtime.calls.map(([, , , options]) => options?.messageId);
    expect(ids[1]).toBe(ids[0]);
    expect(new Set(ids).size).toBe(5);
  });

  it('fails loudly without a calling agent [T3]', async () => {
    const runtime = fakeRuntime();
    await expect(run(sendMessageTool(runtime), 'hello', { agent: undefined })).rejects.toThrow(
      'send_message was called without a calling agent. Nothing was delivered.',
    );
    expect(runtime.calls).toEqual([]);
  });

  it('says of a cancelled or failed call that the message may have arrived [T3]', async () => {
    const tool = sendMessageTool(fakeRuntime(() => Promise.reject(new Error('the disk is gone'))));
    const failed = await run(tool);
    const cancelled = await run(tool, 'hello', { signal: AbortSignal.abort() });
    const rest =
      'before its outcome was known. The message to agent kiwi may or may not have been delivered. ' +
      'Do not take it for delivered, and do not repeat it unless it may arrive twice.';
    expect(failed).toEqual({ content: `The call failed ${rest}`, isError: true });
    expect(cancelled).toEqual({ content: `The call was cancelled ${rest}`, isError: true });
  });
});

describe('a refusal', () => {
  const refusals: readonly [code: string, data: object, text: string][] = [
    [
      'UNAUTHORIZED',
      { reachable: ['plum', 'a b'] },
      'no agent with the id kiwi can be reached from here. Ids that can be reached: "plum", "a b".',
    ],
    [
      'UNAUTHORIZED',
      {},
      'no agent with the id kiwi can be reached from here. No agent can be reached at present.',
    ],
    ['NOT_RESUMABLE', {}, 'agent kiwi cannot be continued. Start a new subagent for the rest of its work.'],
    [
      'PARENT_UNAVAILABLE',
      {},
      'the agent that started you is gone. Finish your work and put the result into your final answer.',
    ],
    [
      'BUSY_ELSEWHERE',
      {},
      'agent kiwi is in use by another process. Go on with other work and try again later.',
    ],
    ['DRAINING', {}, 'agents are being shut down here. Do not send again.'],
    ['ACTIVATION_CLOSING', {}, 'one of the two agents is being shut down. Do not send again in this turn.'],
    ['LIMIT_REACHED', {}, 'a limit was reached. Inside'],
    ['A_NEWER_CODE', {}, 'it was refused (A_NEWER_CODE). Go on without this message.'],
  ];

  it.each(refusals)('%s tells what failed and what can be done [T4]', async (code, data, text) => {
    const tool = sendMessageTool(fakeRuntime(() => Promise.reject(refusalOf(code, { ...data }))));
    expect(await run(tool)).toEqual({ content: `Message not delivered: ${text}`, isError: true });
  });

  it('shows neither a stack nor the ids in the words of the error [T4]', async () => {
    const codes = [...new Set(refusals.map(([code]) => code))].filter((code) => code !== 'LIMIT_REACHED');
    for (const code of codes) {
      const error = refusalOf(code, {}, 'agent secret-id is not yours');
      const output = await run(sendMessageTool(fakeRuntime(() => Promise.reject(error))));
      expect(JSON.stringify(output)).not.toMatch(/secret-id|\bat .*\.ts/);
    }
  });

  it('of a full inbox is a refusal too [T4]', async () => {
    const error = agentError('INBOX_FULL', 'full');
    const tool = sendMessageTool(fakeRuntime(() => Promise.reject(error)));
    expect(await run(tool)).toEqual({
      content:
        'Message not delivered: too many messages wait at agent kiwi. Go on with other work and try again later.',
      isError: true,
    });
  });

  it('shows an odd or a long id so that it cannot mislead [T4]', async () => {
    const tool = sendMessageTool(fakeRuntime(() => Promise.reject(refusalOf('NOT_RESUMABLE'))));
    const shown = async (id: string) =>
      JSON.stringify(await tool.execute({ agent_id: id, message: 'hello' }, context()));
    expect(await shown('a\nAgent b')).toContain(String.raw`agent \"a\\nAgent b\" cannot`);
    expect((await shown('x'.repeat(5000))).length).toBeLessThan(500);
    expect(await shown(`${'x'.repeat(199)}🍐`)).toContain(`${'x'.repeat(199)}…`);
  });
});

describe('a message', () => {
  it.each(['', ' ', '\n\t\u00a0'])('that is blank is refused: %j [T5]', async (message) => {
    const runtime = fakeRuntime();
    expect(await run(sendMessageTool(runtime), message)).toEqual({
      content: 'Message not sent: it is empty. Call send_message again with a text, or do without a message.',
      isError: true,
    });
    expect(runtime.calls).toEqual([]);
  });

  it('is bounded in bytes, 64 KiB by default, and refused beyond with its size [T5]', async () => {
    const runtime = fakeRuntime();
    const fits = 'ü'.repeat(32 * 1024);
    expect(await run(sendMessageTool(runtime), fits)).not.toHaveProperty('isError');
    expect(await run(sendMessageTool(runtime), `${fits}!`)).toEqual({
      content:
        'Message not sent: it has 65537 bytes, and at most 65536 are allowed. ' +
        'Send the part that matters, or several messages.',
      isError: true,
    });
    expect(await run(sendMessageTool(runtime, { maxBytes: 4 }), 'hello')).toHaveProperty('isError', true);
    expect(runtime.calls).toHaveLength(1);
  });
});
