/** The program of the README: a child in files, written to again after it has left memory. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAgentRegistry, createToolRegistry } from '@deepseek-ai/dsh-agent';
import { scriptedModel } from '@deepseek-ai/dsh-agent/testing';
import { openSessionStore } from '@deepseek-ai/dsh-session';
import { fileDriver } from '@deepseek-ai/dsh-session-file';
import { createSubagents, spawnProvider } from '@deepseek-ai/dsh-subagents';
import { sendMessageTool } from '@deepseek-ai/dsh-tool-send-message';

const root = mkdtempSync(join(tmpdir(), 'dsh-'));
const script = scriptedModel([
  'Pears are ripe in September.',
  'Noted.',
  'Plums are ripe in August.',
  'Noted.',
]);
const sessions = await openSessionStore({ driver: fileDriver({ root }) });
const tools = createToolRegistry();
const agents = createAgentRegistry({
  sessions,
  tools,
  models: () => script,
  defaults: { model: 'scripted' },
});
const { runtime, host } = createSubagents({ agents, sessions, tools });
runtime.registerProvider(spawnProvider());
tools.register(sendMessageTool(runtime));

const parent = await agents.create();
const { childId } = await runtime.startContinuable({
  provider: 'spawn',
  label: 'fruit',
  request: { prompt: 'When are pears ripe?', parent: parent.agent },
});
await runtime.whenQuiescent(parent.agent.id); // the child has answered, told its parent, and left memory
await runtime.sendMessage(parent.agent, childId, [{ type: 'text', text: 'And plums?' }]); // it comes back from its log
await runtime.whenQuiescent(parent.agent.id);
await host.disposeRoot(parent);

for await (const child of runtime.listChildren(parent.agent.id)) {
  if (child.kind === 'child') console.log(`${child.label}: ${child.lastOutcome ?? 'live'}`);
}
for await (const record of sessions.read(childId)) {
  if (record.kind === 'event' && record.event.type === 'assistant/message')
    console.log(JSON.stringify(record.event.data.content));
}
await agents[Symbol.asyncDispose]();
await sessions[Symbol.asyncDispose]();
rmSync(root, { recursive: true });
