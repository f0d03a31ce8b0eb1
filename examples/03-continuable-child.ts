/** A child that outlives its turn: it settles, leaves memory, and is written to again. */
import { createAgentRegistry, createToolRegistry } from '@deepseek-ai/dsh-agent';
import { scriptedModel } from '@deepseek-ai/dsh-agent/testing';
import { memoryDriver, openSessionStore } from '@deepseek-ai/dsh-session';
import { createSubagents, spawnProvider } from '@deepseek-ai/dsh-subagents';
import { sendMessageTool } from '@deepseek-ai/dsh-tool-send-message';

const models = new Map([
  ['main', scriptedModel(['Thank you.', 'Thank you again.'])],
  ['helper', scriptedModel(['Pears are ripe in September.', 'Plums are ripe in August.'])],
]);
const sessions = await openSessionStore({ driver: memoryDriver() });
const tools = createToolRegistry();
const agents = createAgentRegistry({
  sessions,
  tools,
  models: (route) => models.get(route),
  defaults: { model: 'main' },
});
const { runtime, host } = createSubagents({ agents, sessions, tools });
runtime.registerProvider(spawnProvider());
tools.register(sendMessageTool(runtime));
runtime.on('subagent/end', ({ label, outcome, output = '' }) => {
  console.log(`${label} ended: ${outcome}. ${output}`);
});

const root = await agents.create();
const parent = root.agent;
// Resolves when the child has accepted its task; it waits for no turn.
const { childId } = await runtime.startContinuable({
  provider: 'spawn',
  label: 'fruit',
  request: { prompt: 'When are pears ripe?', parent, model: 'helper' },
});
await runtime.whenQuiescent(parent.id);
console.log(`in memory: ${agents.get(childId) !== undefined}`);

// The child was released. Its conversation is stored, so its parent can go on with it, also in a later process.
await runtime.sendMessage(parent, childId, [{ type: 'text', text: 'And plums?' }]);
await runtime.whenQuiescent(parent.id);

for (const message of parent.session.history()) {
  if (message.role === 'user') console.log(`the parent was told by ${message.source.kind}`);
}
await host.disposeRoot(root);
await agents[Symbol.asyncDispose]();
await sessions[Symbol.asyncDispose]();
