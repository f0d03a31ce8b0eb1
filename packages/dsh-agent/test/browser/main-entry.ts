import { createAgentRegistry, createToolRegistry, type Model } from '@deepseek-ai/dsh-agent';
import { memoryDriver, openSessionStore } from '@deepseek-ai/dsh-session';

function check(condition: boolean, what: string): void {
  if (!condition) throw new Error(what);
}

const model: Model = {
  id: 'fixed',
  async *stream() {
    yield { type: 'text', delta: 'Hello.' };
    yield { type: 'finish', reason: 'stop' };
  },
};

/** Run in Chromium against the built package (Q8). */
export const cases = {
  'an agent takes a message and answers': async () => {
    const sessions = await openSessionStore({ driver: memoryDriver() });
    const agents = createAgentRegistry({
      sessions,
      tools: createToolRegistry(),
      models: () => model,
      defaults: { model: 'fixed' },
    });
    const { agent } = await agents.create();
    agent.followup({ content: 'Hi.', source: { kind: 'user' } });
    await agent.whenIdle();
    const roles = agent.session.history().map((message) => message.role);
    check(roles.join() === 'user,assistant', `the history holds ${roles.join()}`);
    await agents[Symbol.asyncDispose]();
    await sessions[Symbol.asyncDispose]();
  },
};
