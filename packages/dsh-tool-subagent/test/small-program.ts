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
import { createSubagents, forkProvider, spawnProvider } from '@deepseek-ai/dsh-subagents';
import { subagentTool } from '../src/index.ts';

/** What is still to be answered, by label; a label with nothing left ends its turn. */
export type Scripts = Record<string, ScriptedTurn[]>;

function labelOf({ messages }: ModelRequest): string {
  const task = messages.findLast(
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
  const { runtime } = createSubagents({ agents, sessions, tools });
  runtime.registerProvider(spawnProvider());
  runtime.registerProvider(forkProvider());
  const background = { backgroundMode: 'continuable' } as const;
  tools.register(subagentTool(runtime, { provider: 'spawn', toolName: 'subagent', ...background }));
  tools.register(subagentTool(runtime, { provider: 'fork', toolName: 'subagent_fork', ...background }));
  tools.register(subagentTool(runtime, { provider: 'spawn', toolName: 'ask', backgroundMode: 'one-shot' }));
  const root = await agents.create();
  return {
    runtime,
    agents,
    sessions,
    tools,
    root: root.agent,
    async [Symbol.asyncDispose]() {
      await agents[Symbol.asyncDispose]();
      await sessions[Symbol.asyncDispose]();
    },
  };
}

export function say(agent: Agent, content: string): void {
  agent.followup({ content, source: { kind: 'user' } });
}

/** The notices that `agent` was sent. */
export function notices(agent: Agent): readonly string[] {
  return agent.session.history().flatMap((message) => {
    if (message.role !== 'user' || message.source.kind !== 'subagent-settled') return [];
    return [message.source.summary];
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
