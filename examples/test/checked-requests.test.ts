import { expect, it } from 'vitest';
import { createAgentRegistry, createToolRegistry } from '@deepseek-ai/dsh-agent';
import { scriptedModel } from '@deepseek-ai/dsh-agent/testing';
import { memoryDriver, openSessionStore } from '@deepseek-ai/dsh-session';

it('asks no model of an example with what the log does not give [A13]', async () => {
  const model = scriptedModel(() => 'yes');
  await using sessions = await openSessionStore({ driver: memoryDriver() });
  await using agents = createAgentRegistry({
    ...{ sessions, tools: createToolRegistry(), models: () => model, defaults: { model: 'main' } },
  });
  const { agent } = await agents.create();
  const ends: string[] = [];
  agent.on('agent/turn/end', ({ reason }) =>
    ends.push(reason.kind === 'error' ? reason.message : reason.kind),
  );
  agent.followup({ content: 'one', source: { kind: 'user' } });
  await agent.whenIdle();
  const { session } = agent;
  const invented = session.history().slice(1);
  session.history = () => invented;
  agent.followup({ content: 'two', source: { kind: 'user' } });
  await agent.whenIdle();
  expect(ends).toEqual(['completed', expect.stringMatching(/message 0 that .* is not what its log says$/)]);
});
