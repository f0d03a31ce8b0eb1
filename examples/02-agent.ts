/** One agent with a tool: it answers a message, is steered while it works, and is written to again. */
import { createAgentRegistry, createToolRegistry, fromJsonSchema } from '@deepseek-ai/dsh-agent';
import { scriptedModel } from '@deepseek-ai/dsh-agent/testing';
import { memoryDriver, openSessionStore } from '@deepseek-ai/dsh-session';

const model = scriptedModel([
  { text: 'I look it up.', calls: [{ tool: 'season', input: { fruit: 'pears' } }] },
  'Pears are ripe in September; plums I leave out.',
  'You are welcome.',
]);
const sessions = await openSessionStore({ driver: memoryDriver() });
const tools = createToolRegistry();
const agents = createAgentRegistry({ sessions, tools, models: () => model, defaults: { model: 'main' } });

tools.register({
  name: 'season',
  description: 'Says when a fruit is ripe.',
  inputSchema: fromJsonSchema<{ fruit: string }>({
    type: 'object',
    properties: { fruit: { type: 'string' } },
    required: ['fruit'],
  }),
  execute({ fruit }, { agent }) {
    // Accepted at once; the model sees it with the next step of this turn.
    agent.steer({ content: 'Leave out the plums.', source: { kind: 'user' } });
    return `${fruit}: September`;
  },
});

const { agent } = await agents.create({ system: 'Be brief.' });
agent.on('agent/turn/end', ({ turn, reason }) => {
  console.log(`turn ${turn} ended: ${reason.kind}`);
});
agent.followup({ content: 'When are pears ripe?', source: { kind: 'user' } });
agent.followup({ content: 'Thanks.', source: { kind: 'user' } });
await agent.whenIdle();

for (const { role, content } of agent.session.history()) {
  console.log(
    `${role}: ${content.map((block) => (block.type === 'text' ? block.text : block.type)).join(' ')}`,
  );
}
await agents[Symbol.asyncDispose]();
await sessions[Symbol.asyncDispose]();
