/**
 * One agent with a real model: any OpenAI-compatible server, and so any provider package of the AI SDK.
 *   OPENAI_BASE_URL=http://127.0.0.1:11434/v1 MODEL=qwen3 node examples/07-real-model.ts
 */
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { createAgentRegistry, createToolRegistry, fromJsonSchema } from '@deepseek-ai/dsh-agent';
import { aiSdkModel } from '@deepseek-ai/dsh-model-ai-sdk';
import { memoryDriver, openSessionStore } from '@deepseek-ai/dsh-session';

const {
  OPENAI_BASE_URL = 'https://api.openai.com/v1',
  OPENAI_API_KEY = 'none',
  MODEL = 'gpt-5',
} = process.env;
const provider = createOpenAICompatible({
  name: 'openai',
  baseURL: OPENAI_BASE_URL,
  apiKey: OPENAI_API_KEY,
  includeUsage: true,
});
const model = aiSdkModel(provider(MODEL), { settings: { maxOutputTokens: 1000 } });

const sessions = await openSessionStore({ driver: memoryDriver() });
const tools = createToolRegistry();
const agents = createAgentRegistry({ sessions, tools, models: () => model, defaults: { model: MODEL } });
tools.register({
  name: 'season',
  description: 'Says when a fruit is ripe.',
  inputSchema: fromJsonSchema<{ fruit: string }>({
    type: 'object',
    properties: { fruit: { type: 'string' } },
    required: ['fruit'],
  }),
  execute: ({ fruit }) => `${fruit}: September`,
});

const { agent } = await agents.create({ system: 'Use the tools, and be brief.' });
agent.on('agent/retry', ({ attempt, error }) => {
  console.log(`attempt ${attempt} failed: ${error.message}`);
});
agent.on('agent/turn/end', ({ reason }) => {
  console.log(reason.kind === 'error' ? `${reason.code}: ${reason.message}` : reason.kind);
});
agent.followup({ content: 'When are pears ripe?', source: { kind: 'user' } });
await agent.whenIdle();

for (const message of agent.session.history()) {
  const text = message.content.map((block) => (block.type === 'text' ? block.text : block.type)).join(' ');
  const tokens = message.role === 'assistant' ? message.usage?.outputTokens : undefined;
  console.log(`${message.role}: ${text}${tokens === undefined ? '' : ` (${tokens} tokens)`}`);
}
await agents[Symbol.asyncDispose]();
await sessions[Symbol.asyncDispose]();
