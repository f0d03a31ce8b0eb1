/** A whole program in memory: store, tools, agents, runtime, and a model that answers from scripts. */
import {
  createAgentRegistry,
  createToolRegistry,
  fromJsonSchema,
  type AgentHandle,
  type AgentHooks,
  type AgentRegistry,
  type ToolRegistry,
} from '@deepseek-ai/dsh-agent';
import {
  checkedModel,
  drainMicrotasks,
  scriptedModel,
  virtualClock,
  type Script,
  type ScriptedModel,
  type VirtualClock,
} from '@deepseek-ai/dsh-agent/testing';
import {
  memoryDriver,
  openSessionStore,
  type Diagnostic,
  type MemoryDriver,
  type SessionEvent,
  type SessionStore,
  type UserMessage,
} from '@deepseek-ai/dsh-session';
import { expect, onTestFinished } from 'vitest';
import {
  createSubagents,
  forkProvider,
  SEND_MESSAGE_TOOL,
  spawnProvider,
  type HostControls,
  type SubagentEventMap,
  type SubagentRuntime,
  type SubagentsOptions,
} from '../src/index.ts';
import { id } from './memory-store.ts';

export interface Program {
  readonly store: SessionStore;
  readonly tools: ToolRegistry;
  readonly agents: AgentRegistry;
  readonly runtime: SubagentRuntime;
  readonly host: HostControls;
  readonly clock: VirtualClock;
  readonly diagnostics: Diagnostic[];
  /** `subagent/start` and `subagent/end`, in order. */
  readonly told: (SubagentEventMap['subagent/end'] | SubagentEventMap['subagent/start'])[];
  /** The model of that route; each route has a script of its own. */
  model(route: string): ScriptedModel;
  /** A top-level agent, `root` as a rule. */
  root(name?: string): Promise<AgentHandle>;
}

export interface ProgramOptions {
  /** Scripts by route. `main` is the default route. */
  readonly scripts?: Readonly<Record<string, Script>>;
  readonly driver?: MemoryDriver;
  readonly hooks?: AgentHooks;
  readonly subagents?: Partial<SubagentsOptions>;
}

export async function program({
  scripts = {},
  driver,
  hooks,
  subagents,
}: ProgramOptions = {}): Promise<Program> {
  const clock = virtualClock();
  const diagnostics: Diagnostic[] = [];
  const onDiagnostic = (diagnostic: Diagnostic): void => {
    diagnostics.push(diagnostic);
  };
  const store = await openSessionStore({ driver: driver ?? memoryDriver(), clock, onDiagnostic });
  const tools = createToolRegistry();
  const models = new Map(
    Object.entries({ main: [], ...scripts }).map(([route, script]) => [
      route,
      scriptedModel(script, { clock }),
    ]),
  );
  const agents: AgentRegistry = createAgentRegistry({
    sessions: store,
    tools,
    clock,
    onDiagnostic,
    models: (route) => {
      const found = models.get(route);
      return found && checkedModel(found, () => agents.list());
    },
    defaults: { model: 'main', system: 'You are helpful.' },
    ...(hooks === undefined ? {} : { hooks }),
  });
  // What a model was asked with was what the log gives, whatever the test looks at (A13).
  const strange: string[] = [];
  agents.on('agent/error', ({ error }) => {
    if (/ log( says)?$|no live agent$/.test(error.message)) strange.push(error.message);
  });
  onTestFinished(() => {
    expect(strange).toEqual([]);
  });
  const { runtime, host } = createSubagents({
    agents,
    sessions: store,
    tools,
    clock,
    onDiagnostic,
    ...subagents,
  });
  runtime.registerProvider(spawnProvider());
  runtime.registerProvider(forkProvider());
  const told: Program['told'] = [];
  for (const type of ['subagent/start', 'subagent/end'] as const) {
    runtime.on(type, (event) => {
      told.push(event);
    });
  }
  return {
    ...{ store, tools, agents, runtime, host, clock, diagnostics, told },
    model: (route) => models.get(route)!,
    root: (name = 'root') => agents.create({ id: id(name), cwd: '/work' }),
  };
}

/** The standard tool, as far as the runtime can tell. */
export function registerSendMessage({ tools }: Program, standard = true): void {
  tools.register({
    name: 'send_message',
    description: 'Writes to an agent.',
    inputSchema: fromJsonSchema({ type: 'object' }),
    execute: () => 'Sent.',
    ...(standard ? { identity: SEND_MESSAGE_TOOL } : {}),
  });
}

/** Everything that needs no time has happened. */
export const settle = (): Promise<void> => drainMicrotasks();

export async function eventsOf(store: SessionStore, child: string): Promise<SessionEvent[]> {
  const events: SessionEvent[] = [];
  for await (const record of store.read(id(child))) if (record.kind === 'event') events.push(record.event);
  return events;
}

/** The user messages of a log. */
export function userMessages(events: readonly SessionEvent[]): readonly UserMessage[] {
  return events.flatMap((event) => (event.type === 'user/message' ? [event.data] : []));
}

export const textsOf = ({ content }: UserMessage): readonly string[] =>
  content.map((block) => (block.type === 'text' ? block.text : block.type));
