import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { LLMock } from '@copilotkit/aimock';
import { createAgentRegistry, createToolRegistry, type Agent } from '@deepseek-ai/dsh-agent';
import { aiSdkModel } from '@deepseek-ai/dsh-model-ai-sdk';
import { memoryDriver, memoryMedium, openSessionStore, type MemoryMedium } from '@deepseek-ai/dsh-session';
import { createSubagents, forkProvider, spawnProvider } from '@deepseek-ai/dsh-subagents';
import { sendMessageTool } from '@deepseek-ai/dsh-tool-send-message';
import { afterAll, beforeAll, expect, it } from 'vitest';

const server = new LLMock();
let url: string;
beforeAll(async () => {
  server.addFixture({ match: {}, response: { content: 'Yes.' } });
  url = await server.start();
});
afterAll(async () => {
  await server.stop();
});

interface Body {
  readonly model: string;
  readonly tools?: readonly unknown[];
  readonly messages: readonly unknown[];
}
const bodies = (): readonly Body[] => server.getRequests().map(({ body }) => body as unknown as Body);
/** The last request whose newest message holds `part`. */
function requestWith(part: string): Body {
  const found = bodies().findLast(({ messages }) => JSON.stringify(messages.at(-1)).includes(part));
  if (found === undefined) throw new Error(`nobody asked with ${part}`);
  return found;
}
const headOf = ({ model, tools, messages }: Body): string =>
  JSON.stringify({ model, tools, system: messages[0] });
const bytesOf = ({ messages }: Body, count = messages.length): string =>
  JSON.stringify(messages.slice(0, count));

async function program(medium: MemoryMedium) {
  const provider = createOpenAICompatible({ name: 'mock', baseURL: `${url}/v1`, apiKey: 'none' });
  const model = aiSdkModel(provider('mock'));
  const sessions = await openSessionStore({ driver: memoryDriver({ medium }) });
  const tools = createToolRegistry();
  const defaults = { model: 'mock', system: 'You grow fruit.' };
  const agents = createAgentRegistry({ sessions, tools, models: () => model, defaults });
  const { runtime } = createSubagents({ agents, sessions, tools });
  runtime.registerProvider(spawnProvider());
  runtime.registerProvider(forkProvider());
  tools.register(sendMessageTool(runtime));
  const say = async (agent: Agent, content: string): Promise<void> => {
    agent.followup({ content, source: { kind: 'user' } });
    await runtime.whenQuiescent(agent.id);
  };
  const start = (kind: string, parent: Agent, prompt: string) =>
    runtime.startContinuable({ provider: kind, label: prompt, request: { prompt, parent } });
  return { sessions, agents, runtime, say, start };
}

it('sends for a fork the bytes that it sent for its parent, before and after children come and go and in a later process [M38 Q7]', async () => {
  const medium = memoryMedium();
  const { sessions, agents, runtime, say, start } = await program(medium);
  const { agent: root } = await agents.create({ system: 'You grow pears.' });
  await say(root, 'When are pears ripe?');
  await say(root, 'And quinces?');
  const before = requestWith('And quinces?');
  expect(before.tools).toHaveLength(1);

  const { childId } = await start('fork', root, 'Study apples.');
  await start('spawn', root, 'Study plums.');
  await runtime.whenQuiescent(root.id);
  const forked = bodies().find(({ messages }) => JSON.stringify(messages.at(-1)).includes('Study apples.'));
  expect(forked).toBeDefined();
  if (forked === undefined) return;
  expect(headOf(forked)).toBe(headOf(before));
  expect(bytesOf(forked, before.messages.length)).toBe(bytesOf(before));

  await say(root, 'And medlars?');
  const after = requestWith('And medlars?');
  expect(headOf(after)).toBe(headOf(before));
  expect(bytesOf(after, before.messages.length)).toBe(bytesOf(before));
  await agents[Symbol.asyncDispose]();
  await sessions[Symbol.asyncDispose]();

  const next = await program(medium);
  const { agent: again } = await next.agents.resume({ id: root.id });
  await next.runtime.sendMessage(again, childId, [{ type: 'text', text: 'And pomes at large?' }]);
  await next.runtime.whenQuiescent(again.id);
  const resumed = requestWith('And pomes at large?');
  expect(headOf(resumed)).toBe(headOf(forked));
  expect(bytesOf(resumed, forked.messages.length)).toBe(bytesOf(forked));
  await next.agents[Symbol.asyncDispose]();
  await next.sessions[Symbol.asyncDispose]();
});
