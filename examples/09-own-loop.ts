/** Continuable children over an agent loop of one's own: own-loop/ is one, in place of dsh-agent's. No key, no network. */
import { memoryDriver, openSessionStore, type Session } from '@deepseek-ai/dsh-session';
import { createSubagents, spawnProvider } from '@deepseek-ai/dsh-subagents';
import { ownAgents } from './own-loop/agents.ts';

/** In place of a model: it says how many messages it was shown. */
const answer = async (session: Session): Promise<string> =>
  `I was shown ${session.history().length} messages.`;

const sessions = await openSessionStore({ driver: memoryDriver() });
const agents = ownAgents(sessions, answer);
const { runtime, host } = createSubagents({ agents, sessions });
runtime.registerProvider(spawnProvider());
runtime.on('subagent/end', ({ label, outcome, output }) => {
  console.log(`${label} ended: ${outcome}. ${output ?? ''}`);
});

const root = await agents.create({});
const { childId } = await runtime.startContinuable({
  provider: 'spawn',
  label: 'fruit',
  request: { prompt: 'When are pears ripe?', parent: root.agent },
});
await runtime.whenQuiescent(root.agent.id);
await runtime.sendMessage(root.agent, childId, [{ type: 'text', text: 'And plums?' }]); // it is resumed
await runtime.whenQuiescent(root.agent.id);
for await (const entry of runtime.listChildren(root.agent.id)) {
  if (entry.kind === 'child') console.log(`${entry.label}: ${entry.lastOutcome ?? 'live'}`);
}
await host.disposeRoot(root);
await agents.dispose();
await sessions[Symbol.asyncDispose]();
