/** The packages put together over memory, with one scripted model per agent: by the label of its task. */
import {
  createAgentRegistry,
  createToolRegistry,
  type Agent,
  type AgentRegistry,
  type ModelRequest,
} from '@deepseek-ai/dsh-agent';
import { checkedModel, scriptedModel, type ScriptedTurn } from '@deepseek-ai/dsh-agent/testing';
import { memoryDriver, openSessionStore } from '@deepseek-ai/dsh-session';
import { expect, onTestFinished } from 'vitest';
import { createSubagents, spawnProvider } from '@deepseek-ai/dsh-subagents';
import { sendMessageTool } from '../src/index.ts';

/** What is still to be answered, by label; a label with nothing left ends its turn. */
export type Scripts = Record<string, ScriptedTurn[]>;

function labelOf({ messages }: ModelRequest): string {
  const task = messages.find(
    (message) => message.role === 'user' && message.source.kind === 'delegated-task',
  );
  return task?.role === 'user' && task.source.kind === 'delegated-task' ? task.source.label : 'root';
}

export async function smallProgram(scripts: Scripts) {
  const sessions = await openSessionStore({ driver: memoryDriver() });
  const tools = createToolRegistry();
  const model = scriptedModel((request) => scripts[labelOf(request)]?.shift());
  const agents: AgentRegistry = createAgentRegistry({
    sessions,
    models: () => checkedModel(model, () => agents.list()),
    tools,
    defaults: { model: 'scripted' },
  });
  // What a model was asked with was what the log gives, whatever the test looks at (A13).
  const strange: string[] = [];
  agents.on('agent/error', ({ error }) => {
    if (/ log( says)?$|no live agent$/.test(error.message)) strange.push(error.message);
  });
  onTestFinished(() => {
    expect(strange).toEqual([]);
  });
  const { runtime, host } = createSubagents({ agents, sessions, tools });
  runtime.registerProvider(spawnProvider());
  tools.register(sendMessageTool(runtime));
  const root = await agents.create();
  return {
    runtime,
    host,
    agents,
    model,
    root: root.agent,
    start: (label: string, parent: Agent) =>
      runtime.startContinuable({ provider: 'spawn', label, request: { prompt: `Study ${label}.`, parent } }),
    async [Symbol.asyncDispose]() {
      await agents[Symbol.asyncDispose]();
      await sessions[Symbol.asyncDispose]();
    },
  };
}

export function say(agent: Agent, content: string): void {
  agent.followup({ content, source: { kind: 'user' } });
}

/** The messages of `agent`, from the agents that wrote them. */
export function received(agent: Agent): readonly string[] {
  return agent.session.history().flatMap((message) => {
    if (message.role !== 'user' || message.source.kind !== 'agent-message') return [];
    return [message.content.map((block) => (block.type === 'text' ? block.text : '')).join('|')];
  });
}

/** The results of its calls. */
export function results(agent: Agent): readonly string[] {
  return agent.session.history().flatMap((message) => {
    if (message.role !== 'tool') return [];
    return [
      `${message.outcome}: ${message.content.map((block) => (block.type === 'text' ? block.text : '')).join()}`,
    ];
  });
}
