/** A parent writes to its child, and the child writes back, by one tool. No key and no network. */
import { createAgentRegistry, createToolRegistry } from '@deepseek-ai/dsh-agent';
import { scriptedModel } from '@deepseek-ai/dsh-agent/testing';
import { memoryDriver, openSessionStore } from '@deepseek-ai/dsh-session';
import { createSubagents, spawnProvider } from '@deepseek-ai/dsh-subagents';
import { sendMessageTool } from '@deepseek-ai/dsh-tool-send-message';

const send = (agent_id: string, message: string) => ({
  calls: [{ tool: 'send_message', input: { agent_id, message } }],
});
const parentModel = scriptedModel(['It knows pears now.']);
const childModel = scriptedModel(['Conference is a pear. What shall I look at?']);

const sessions = await openSessionStore({ driver: memoryDriver() });
const tools = createToolRegistry();
const models = (route: string) => (route === 'child' ? childModel : parentModel);
const agents = createAgentRegistry({ sessions, models, tools, defaults: { model: 'parent' } });
const { runtime } = createSubagents({ agents, sessions, tools });
runtime.registerProvider(spawnProvider());
tools.register(sendMessageTool(runtime));

const { agent: parent } = await agents.create();
const { childId } = await runtime.startContinuable({
  provider: 'spawn',
  label: 'pears',
  request: { prompt: 'Get to know pears.', parent, model: 'child' },
});
await runtime.whenQuiescent(parent.id);

parentModel.push(
  send(childId, 'How long does Conference keep?'),
  'I have asked.',
  'Two weeks, then.',
  'Good.',
);
childModel.push(
  { ...send(parent.id, 'Two weeks in a cool cellar.'), delayMs: 20 },
  { text: 'Answered.', delayMs: 20 },
);
parent.followup({ content: 'Ask the helper how long Conference keeps.', source: { kind: 'user' } });
await runtime.whenQuiescent(parent.id);

for (const message of parent.session.history()) {
  const text = message.content.map((block) => (block.type === 'text' ? block.text : '')).join(' ');
  if (text !== '') console.log(`${message.role}: ${text}`);
}
await agents[Symbol.asyncDispose]();
await sessions[Symbol.asyncDispose]();
