/** Agents alone, without a runtime of children, over a store that is measured. */
import {
  createAgentRegistry,
  createToolRegistry,
  fromJsonSchema,
  type AgentRegistry,
  type Model,
} from '@deepseek-ai/dsh-agent';
import { openStore } from './store.ts';

export interface Agents extends AsyncDisposable {
  readonly agents: AgentRegistry;
}

/** Every route is `model`. There is one tool, `look`, which has its result at once. */
export async function openAgents(driver: string, folder: string, model: Model): Promise<Agents> {
  const sessions = await openStore(driver, folder);
  const tools = createToolRegistry();
  tools.register({
    ...{ name: 'look', description: 'Looks.', inputSchema: fromJsonSchema({ type: 'object' }) },
    execute: () => 'Ripe.',
  });
  const agents = createAgentRegistry({
    ...{ sessions, tools, models: () => model, limits: { steps: 1_000_000 } },
    defaults: { model: 'instant', system: 'You are an agent.' },
  });
  return {
    agents,
    async [Symbol.asyncDispose]() {
      await agents[Symbol.asyncDispose]();
      await sessions[Symbol.asyncDispose]();
    },
  };
}
