/** A registry over a memory store, a scripted model and a clock by hand, with a record of what happened. */
import {
  memoryDriver,
  openSessionStore,
  type Diagnostic,
  type MessageId,
  type Session,
  type SessionEvent,
  type SessionId,
  type SessionStore,
  type UserMessage,
} from '@deepseek-ai/dsh-session';
import { expect, onTestFinished } from 'vitest';
import type { Agent, MessageInput } from '../src/agent.ts';
import { createAgentRegistry } from '../src/create-registry.ts';
import type { AgentEventMap } from '../src/events.ts';
import type { Model } from '../src/model.ts';
import type { AgentRegistryOptions } from '../src/registry.ts';
import {
  requestProblem,
  scriptedModel,
  type Script,
  type ScriptedModel,
  virtualClock,
  type VirtualClock,
} from '../src/testing/index.ts';
import type { ToolDefinition, ToolRegistry } from '../src/tool.ts';
import { createToolRegistry } from '../src/tool-registry.ts';

export interface WorldOptions extends Partial<Omit<AgentRegistryOptions, 'sessions' | 'clock'>> {
  readonly script?: Script;
  readonly sessions?: SessionStore;
}

export interface World {
  readonly registry: ReturnType<typeof createAgentRegistry>;
  readonly sessions: SessionStore;
  readonly model: ScriptedModel;
  readonly tools: ToolRegistry;
  readonly clock: VirtualClock;
  readonly diagnostics: Diagnostic[];
  /** What the registry told, as `type detail`. */
  readonly told: string[];
}

export async function openWorld({ script = [], ...options }: WorldOptions = {}): Promise<World> {
  const clock = virtualClock();
  const diagnostics: Diagnostic[] = [];
  const model = scriptedModel(script, { clock });
  const sessions = options.sessions ?? (await openSessionStore({ driver: memoryDriver(), clock }));
  const tools = createToolRegistry();
  const find = options.models ?? ((route: string) => (route === 'main' ? model : undefined));
  // Of whatever test: what a model is asked with is what the log gives (A13).
  const strange: string[] = [];
  const models = (route: string): Model | undefined => {
    const found = find(route);
    if (found === undefined) return undefined;
    const stream: Model['stream'] = (request, wait) => {
      strange.push(...[requestProblem(request, registry.list()) ?? []].flat());
      return found.stream(request, wait);
    };
    return { id: found.id, stream };
  };
  onTestFinished(() => {
    expect(strange).toEqual([]);
  });
  const registry: World['registry'] = createAgentRegistry({
    defaults: { model: 'main' },
    random: () => 0.5,
    onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
    tools,
    ...options,
    models,
    sessions,
    clock,
  });
  const told: string[] = [];
  for (const [type, show] of Object.entries(shown)) {
    registry.on(type as keyof AgentEventMap, (event) =>
      told.push(`${type.slice('agent/'.length)} ${show(event as never)}`.trim()),
    );
  }
  return { registry, sessions, model, tools: options.tools ?? tools, clock, diagnostics, told };
}

const shown: { readonly [K in keyof AgentEventMap]?: (event: AgentEventMap[K]) => string } = {
  'agent/created': () => '',
  'agent/disposed': () => '',
  'agent/status': ({ status }) => status,
  'agent/inbox/enqueue': ({ message }) => message.id,
  'agent/inbox/dequeue': ({ message, turn, step }) => `${message.id} ${turn}.${step}`,
  'agent/inbox/discard': ({ message, reason }) => `${message.id} ${reason}`,
  'agent/turn/start': ({ turn }) => `${turn}`,
  'agent/turn/end': ({ turn, reason }) => `${turn} ${reason.kind}`,
  'agent/tool/start': ({ call }) => call.name,
  'agent/tool/end': ({ call, outcome }) => `${call.name} ${outcome}`,
};

/** A message of the person. Its id is its text. */
export function say(text: string): MessageInput {
  return { content: text, source: { kind: 'user' }, id: text as MessageId };
}

/** A message of another agent. Its id is its text. */
export function relay(text: string): MessageInput {
  return {
    ...say(text),
    source: { kind: 'agent-message', form: 'relay' } as unknown as UserMessage['source'],
  };
}

export const id = (text: string): SessionId => text as SessionId;

/** The log as short lines: type and what matters of the data. */
export function logOf(session: Session): readonly string[] {
  return session.events().flatMap((event) => (event.type === 'request/header' ? [] : [line(event)]));
}

function line(event: SessionEvent): string {
  switch (event.type) {
    case 'turn/start':
      return `turn ${event.data.turn}`;
    case 'turn/end':
      return `end ${event.data.turn} ${event.data.reason.kind}`;
    case 'user/message':
      return `user ${event.data.id}`;
    case 'assistant/message':
      return `assistant ${textOf(event.data.content)}${event.data.interrupted ? ' (interrupted)' : ''}`;
    case 'tool/start':
      return `start ${event.data.name}`;
    case 'tool/result':
      return `result ${event.data.name} ${event.data.outcome}: ${textOf(event.data.content)}`;
    default:
      return event.type;
  }
}

export function textOf(content: readonly { readonly type: string; readonly text?: string }[]): string {
  return content.map((block) => (block.type === 'text' ? block.text : `<${block.type}>`)).join('');
}

/** Who was shown what: the ids of the user messages, one list for each turn and step. */
export function claims(agent: Agent): readonly string[] {
  const found: string[] = [];
  agent.on('agent/inbox/dequeue', ({ message, turn, step }) => found.push(`${turn}.${step} ${message.id}`));
  return found;
}

/** A tool that takes anything and gives what `execute` gives. */
export function tool(
  name: string,
  execute: ToolDefinition['execute'],
  more: Partial<ToolDefinition> = {},
): ToolDefinition {
  return {
    name,
    description: `${name} for tests`,
    inputSchema: { json: { type: 'object' }, parse: (value) => ({ value }) },
    execute,
    ...more,
  };
}
