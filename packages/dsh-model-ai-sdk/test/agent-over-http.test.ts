import { createAnthropic } from '@ai-sdk/anthropic';
import { LLMock } from '@copilotkit/aimock';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  createAgentRegistry,
  createToolRegistry,
  fromJsonSchema,
  type AgentRegistry,
} from '@deepseek-ai/dsh-agent';
import { checkedModel, virtualClock } from '@deepseek-ai/dsh-agent/testing';
import { memoryDriver, openSessionStore } from '@deepseek-ai/dsh-session';
import { aiSdkModel } from '@deepseek-ai/dsh-model-ai-sdk';

interface SentMessage {
  readonly role: string;
  readonly content: readonly { readonly type: string; readonly [key: string]: unknown }[];
}

/** Agents whose model speaks to `server` as Anthropic's does, and what they sent. */
async function program(server: LLMock) {
  const url = await server.start();
  onTestFinished(() => server.stop());
  const sent: SentMessage[][] = [];
  const recording: typeof fetch = async (input, init) => {
    sent.push((JSON.parse(init?.body as string) as { messages: SentMessage[] }).messages);
    return fetch(input, init);
  };
  const provider = createAnthropic({ baseURL: `${url}/v1`, apiKey: 'k', fetch: recording });
  const model = aiSdkModel(provider('claude-sonnet-4-5'));
  const sessions = await openSessionStore({ driver: memoryDriver() });
  const tools = createToolRegistry();
  tools.register({
    name: 'weather',
    description: 'The weather of a city.',
    inputSchema: fromJsonSchema({ type: 'object', properties: { city: { type: 'string' } } }),
    execute: (_input, { agent }) => {
      agent.steer({ content: 'in Celsius', source: { kind: 'user' } });
      return '30 degrees';
    },
  });
  const clock = virtualClock();
  const registry = (): AgentRegistry => {
    const agents: AgentRegistry = createAgentRegistry({
      sessions,
      tools,
      models: () => checkedModel(model, () => agents.list()),
      defaults: { model: 'main' },
      clock,
      random: () => 0,
    });
    return agents;
  };
  return { registry, sent, sessions };
}

const ask = (content: string) => ({ content, source: { kind: 'user' } }) as const;
const shapes = (messages: readonly SentMessage[] | undefined) =>
  (messages ?? []).map(({ role, content }) => `${role}: ${content.map(({ type }) => type).join(' ')}`);

describe('an agent over HTTP', () => {
  it('replays signed reasoning and keeps a steer behind the result, also after resume and fork [A6 A16]', async () => {
    const server = new LLMock();
    const toolCalls = [{ name: 'weather', arguments: '{"city":"Rome"}', id: 'call_1' }];
    server.on(
      { userMessage: 'weather?' },
      { toolCalls, reasoning: 'I should look.', reasoningSignature: 'sig==' },
    );
    server.on({}, { content: 'Warm.' });
    const { registry, sent, sessions } = await program(server);
    const first = registry();
    const { agent } = await first.create();
    agent.followup(ask('weather?'));
    await agent.whenIdle();
    const prefix = ['user: text', 'assistant: thinking tool_use', 'user: tool_result text'];
    expect(shapes(sent.at(-1))).toEqual(prefix);
    await first[Symbol.asyncDispose]();

    const second = registry();
    const resumed = await second.resume({ id: agent.id });
    resumed.agent.followup(ask('and Oslo?'));
    await resumed.agent.whenIdle();
    const forked = await second.create({ seed: { session: agent.id, length: resumed.agent.session.length } });
    forked.agent.followup(ask('and Paris?'));
    await forked.agent.whenIdle();
    for (const messages of sent.slice(-2)) {
      expect(shapes(messages).slice(0, 3)).toEqual(prefix);
      expect(messages[1]?.content[0]).toMatchObject({ thinking: 'I should look.', signature: 'sig==' });
    }
    // What the provider was shown before is shown again, byte for byte.
    expect(JSON.stringify(sent.at(-1)?.slice(0, 3))).toBe(JSON.stringify(sent.at(-2)?.slice(0, 3)));
    await second[Symbol.asyncDispose]();
    await sessions[Symbol.asyncDispose]();
  });
});
