import assert from 'node:assert/strict';
import { createAgentRegistry, createToolRegistry } from '@deepseek-ai/dsh-agent';
import { scriptedModel } from '@deepseek-ai/dsh-agent/testing';
import { memoryDriver, openSessionStore } from '@deepseek-ai/dsh-session';
import { createSubagents, spawnProvider } from '@deepseek-ai/dsh-subagents';
import { sendMessageTool } from '@deepseek-ai/dsh-tool-send-message';

/** The packages work together as they were packed: a child is started, settles, and is resumed by a message. */
const models = new Map([
  ['main', scriptedModel(['Thank you.', 'Thank you again.'])],
  ['child', scriptedModel(['In September.', 'In August.'])],
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
const ends: string[] = [];
runtime.on('subagent/end', ({ outcome, output }) => ends.push(`${outcome}: ${output ?? ''}`));

const root = await agents.create();
const request = { prompt: 'When are pears ripe?', parent: root.agent, model: 'child' };
const { childId } = await runtime.startContinuable({ provider: 'spawn', label: 'fruit', request });
await runtime.whenQuiescent(root.agent.id);
await runtime.sendMessage(root.agent, childId, [{ type: 'text', text: 'And plums?' }]);
await runtime.whenQuiescent(root.agent.id);
await host.disposeRoot(root);
await agents[Symbol.asyncDispose]();
await sessions[Symbol.asyncDispose]();

assert.equal(ends.length, 2);
assert.match(ends[0] ?? '', /September/);
assert.match(ends[1] ?? '', /August/);
