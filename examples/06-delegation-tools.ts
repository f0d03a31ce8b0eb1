/** A model delegates by tools: to a fresh child, to a copy of itself, and looks at what they do. */
import { createAgentRegistry, createToolRegistry, type ModelRequest } from '@deepseek-ai/dsh-agent';
import { scriptedModel, type ScriptedTurn } from '@deepseek-ai/dsh-agent/testing';
import { memoryDriver, openSessionStore } from '@deepseek-ai/dsh-session';
import { createSubagents, forkProvider, spawnProvider } from '@deepseek-ai/dsh-subagents';
import { listAgentsTool, subagentTool } from '@deepseek-ai/dsh-tool-subagent';

const delegate = (tool: string, description: string) => ({
  tool,
  input: { description, prompt: `Study ${description}.` },
});
const talk = [
  ['We plan a jam.', 'Good, I know what this is about.'],
  [
    'Look into pears and plums.',
    { calls: [delegate('subagent', 'pears'), delegate('subagent_fork', 'plums')] },
    'Two helpers are at work.',
  ],
  ['Who works for you?', { calls: [{ tool: 'list_agents' }] }],
] as const;
const answers: ScriptedTurn[] = [];
const hasTask = ({ messages }: ModelRequest): boolean =>
  messages.some((message) => message.role === 'user' && message.source.kind === 'delegated-task');
const model = scriptedModel((request) => (hasTask(request) ? 'Studied.' : (answers.shift() ?? 'Noted.')));

const sessions = await openSessionStore({ driver: memoryDriver() });
const tools = createToolRegistry();
const agents = createAgentRegistry({ sessions, models: () => model, tools, defaults: { model: 'script' } });
const { runtime } = createSubagents({ agents, sessions, tools });
runtime.registerProvider(spawnProvider());
runtime.registerProvider(forkProvider());
const background = { backgroundMode: 'continuable' } as const;
tools.register(subagentTool(runtime, { provider: 'spawn', toolName: 'subagent', ...background }));
tools.register(subagentTool(runtime, { provider: 'fork', toolName: 'subagent_fork', ...background }));
tools.register(listAgentsTool(runtime));

const { agent: parent } = await agents.create();
for (const [content, ...turns] of talk) {
  answers.push(...turns);
  parent.followup({ content, source: { kind: 'user' } });
  await runtime.whenQuiescent(parent.id);
}

for (const message of parent.session.history()) {
  const text = message.content.map((block) => (block.type === 'text' ? block.text : '')).join(' ');
  if (text !== '') console.log(`${message.role}: ${text}`);
}
await agents[Symbol.asyncDispose]();
await sessions[Symbol.asyncDispose]();
