/** A whole program in memory for tests: store, agents, tools, runtime, and a script for each agent by its label. */
import { expect } from 'vitest';
import {
  createAgentRegistry,
  createToolRegistry,
  fromJsonSchema,
  type Agent,
  type AgentHandle,
  type AgentLimits,
  type ModelRequest,
} from '@deepseek-ai/dsh-agent';
import {
  drainMicrotasks,
  scriptedModel,
  virtualClock,
  type ScriptedTurn,
} from '@deepseek-ai/dsh-agent/testing';
import {
  memoryDriver,
  memoryMedium,
  openSessionStore,
  parseSessionId,
  type Diagnostic,
  type MessageId,
  type SessionDriver,
  type SessionId,
  type UserMessage,
} from '@deepseek-ai/dsh-session';
import {
  createSubagents,
  forkProvider,
  SEND_MESSAGE_TOOL,
  spawnProvider,
  type SubagentsOptions,
} from '../../src/index.ts';

export const id = (text: string): SessionId => parseSessionId(text);
export const text = (value: string) => [{ type: 'text' as const, text: value }];
export const messageId = (value: string): MessageId => value as MessageId;

export interface WorldOptions {
  /** What each agent says, by label; `root` is the top. An agent without a script says `ok`. */
  readonly scripts?: Readonly<Record<string, readonly ScriptedTurn[]>>;
  readonly subagents?: Partial<SubagentsOptions>;
  readonly limits?: AgentLimits;
  readonly medium?: ReturnType<typeof memoryMedium>;
  readonly wrapDriver?: (driver: SessionDriver) => SessionDriver;
}

export type World = Awaited<ReturnType<typeof openWorld>>;

export async function openWorld(options: WorldOptions = {}) {
  const clock = virtualClock();
  const log: string[] = [];
  const diagnostics: Diagnostic[] = [];
  const onDiagnostic = (diagnostic: Diagnostic): void => void diagnostics.push(diagnostic);
  const medium = options.medium ?? memoryMedium();
  const driver = memoryDriver({ medium, clock });
  const sessions = await openSessionStore({
    driver: options.wrapDriver?.(driver) ?? driver,
    clock,
    onDiagnostic,
  });
  const tools = createToolRegistry();
  const models = createScripts(options.scripts ?? {}, clock);
  const agents = createAgentRegistry({
    ...{ sessions, tools, clock, onDiagnostic, models: models.find },
    defaults: { model: 'scripted', system: 'You are an agent.' },
    ...(options.limits === undefined ? {} : { limits: options.limits }),
  });
  const { runtime, host } = createSubagents({
    agents,
    sessions,
    tools,
    clock,
    onDiagnostic,
    ...options.subagents,
  });
  runtime.registerProvider(spawnProvider());
  runtime.registerProvider(forkProvider());
  record(log, { agents, runtime });
  const root = (name = 'root'): Promise<AgentHandle> => agents.create({ id: id(name) });
  const start = (
    parent: Agent,
    label: string,
    more: Partial<Parameters<typeof runtime.startContinuable>[0]> = {},
  ) =>
    runtime.startContinuable({
      provider: 'spawn',
      label,
      childId: id(label),
      request: { prompt: `Task of ${label}`, parent },
      ...more,
    });
  return {
    clock,
    log,
    diagnostics,
    medium,
    driver,
    sessions,
    tools,
    models,
    agents,
    runtime,
    host,
    root,
    start,
    rest: drainMicrotasks,
  };
}

function createScripts(
  scripts: Readonly<Record<string, readonly ScriptedTurn[]>>,
  clock: ReturnType<typeof virtualClock>,
) {
  const made = new Map<string, ReturnType<typeof scriptedModel>>();
  const of = (label: string) => {
    const known = made.get(label) ?? scriptedModel(scripts[label] ?? [], { id: label, clock });
    made.set(label, known);
    return known;
  };
  const model = {
    id: 'scripted',
    stream: (request: ModelRequest, wait: { readonly signal: AbortSignal }) =>
      of(labelOf(request)).stream(request, wait),
  };
  return { of, find: (route: string) => (route === 'scripted' ? model : undefined) };
}

/** The last delegated task names the agent: what a fork inherited stands before it. */
function labelOf({ messages }: ModelRequest): string {
  const task = messages.findLast(
    (message): message is UserMessage => message.role === 'user' && message.source.kind === 'delegated-task',
  );
  return task?.source.kind === 'delegated-task' ? task.source.label : 'root';
}

function record(
  log: string[],
  {
    agents,
    runtime,
  }: {
    agents: ReturnType<typeof createAgentRegistry>;
    runtime: ReturnType<typeof createSubagents>['runtime'];
  },
): void {
  runtime.on('subagent/start', ({ childId, resumed }) =>
    log.push(`start ${childId}${resumed ? ' again' : ''}`),
  );
  runtime.on('subagent/end', ({ childId, outcome }) => log.push(`end ${childId} ${outcome}`));
  runtime.on('subagent/parked', ({ childId }) => log.push(`parked ${childId}`));
  agents.on('agent/inbox/enqueue', ({ agent, message, wake }) =>
    log.push(`${agent.id} ${wake ? 'accepts' : 'gets'} ${message.source.kind}`),
  );
  agents.on('agent/inbox/dequeue', ({ agent, message, turn, step }) =>
    log.push(`${agent.id} reads ${message.source.kind} ${String(turn)}.${String(step)}`),
  );
  agents.on('agent/inbox/discard', ({ agent, reason }) => log.push(`${agent.id} discards ${reason}`));
  agents.on('agent/disposed', ({ agent }) => log.push(`gone ${agent.id}`));
}

/** A stand-in for the standard tool, with its identity. */
export function standardTool(world: World) {
  world.tools.register({
    name: 'send_message',
    description: 'Writes to an agent.',
    identity: SEND_MESSAGE_TOOL,
    inputSchema: fromJsonSchema({ type: 'object' }),
    async execute(input, { agent }) {
      const { agent_id, message } = input as { readonly agent_id: string; readonly message: string };
      await world.runtime.sendMessage(agent, id(agent_id), text(message));
      return 'sent';
    },
  });
}

/** For matchers: a text that holds `part`. */
export const containing = (part: string): unknown => expect.stringContaining(part);
