import { inspect } from 'node:util';
import { onTestFinished } from 'vitest';
import {
  type AgentRegistry,
  createAgentRegistry,
  createToolRegistry,
  fromJsonSchema,
  type Agent,
  type AgentEventMap,
  type Model,
} from '@deepseek-ai/dsh-agent';
import { checkedModel, virtualClock, type VirtualClock } from '@deepseek-ai/dsh-agent/testing';
import { memoryDriver, openSessionStore } from '@deepseek-ai/dsh-session';
import { deferred } from '@dsh-internal/async';

const heard = [
  'agent/retry',
  'agent/error',
  'agent/turn/end',
  'agent/stream',
] as const satisfies readonly (keyof AgentEventMap)[];

export interface AgentOver {
  readonly agent: Agent;
  readonly clock: VirtualClock;
  /** How long each wait before another attempt was to last. */
  readonly delays: readonly number[];
  /** Resolves when the agent begins to wait for another attempt; each call looks for the next one. */
  readonly retrying: () => Promise<void>;
  /** Asks, lets every wait pass, and gives why the turn ended. */
  readonly outcome: () => Promise<unknown>;
  /** Everything that was logged, emitted and reported, with causes and hidden members. */
  readonly everything: () => string;
}

/** An agent with one tool whose model is `model`, a clock that stands still, and all that can be heard of it. */
export async function agentOver(model: Model): Promise<AgentOver> {
  const told: unknown[] = [];
  const sessions = await openSessionStore({ driver: memoryDriver() });
  const tools = createToolRegistry();
  tools.register({
    name: 'weather',
    description: 'The weather of a city.',
    inputSchema: fromJsonSchema<{ city: string }>({
      type: 'object',
      properties: { city: { type: 'string' } },
      required: ['city'],
    }),
    execute: ({ city }) => `${city}: 30 degrees`,
  });
  const clock = virtualClock();
  const agents: AgentRegistry = createAgentRegistry({
    sessions,
    tools,
    models: () => checkedModel(model, () => agents.list()),
    defaults: { model: 'main' },
    clock,
    random: () => 0,
    onDiagnostic: (diagnostic) => told.push(diagnostic),
  });
  onTestFinished(async () => {
    await agents[Symbol.asyncDispose]();
    await sessions[Symbol.asyncDispose]();
  });
  const { agent } = await agents.create();
  for (const name of heard) agent.on(name, (event) => told.push({ ...event, agent: undefined }));

  const delays: number[] = [];
  let waiting = deferred();
  agent.on('agent/retry', ({ delayMs }) => {
    delays.push(delayMs);
    waiting.resolve();
  });
  return {
    agent,
    clock,
    delays,
    retrying: async (): Promise<void> => {
      await waiting.promise;
      waiting = deferred();
    },
    outcome: async () => {
      const retry = agent.on('agent/retry', ({ delayMs }) => {
        // Only after the listeners of this event the wait begins.
        setImmediate(() => {
          clock.advance(delayMs);
        });
      });
      agent.followup({ content: 'hi', source: { kind: 'user' } });
      await agent.whenIdle();
      retry.dispose();
      return agent.session.events().findLast(({ type }) => type === 'turn/end')?.data;
    },
    everything: () =>
      inspect([told, agent.session.events()], { depth: Infinity, showHidden: true, maxStringLength: null }),
  };
}
