/** One process of a schedule: the real runtime, loop, registry and memory store over a scheduled driver and clock. */
import {
  createAgentRegistry,
  createToolRegistry,
  type Agent,
  type AgentHandle,
  type AgentRegistry,
  type ToolRegistry,
} from '@deepseek-ai/dsh-agent';
import {
  scheduledClock,
  scheduledDriver,
  type DriverCall,
  type DriverFault,
} from '@deepseek-ai/dsh-agent/testing';
import {
  memoryDriver,
  openSessionStore,
  sessionError,
  type Clock,
  type Diagnostic,
  type MemoryDriver,
  type Registration,
  type SessionId,
  type SessionStore,
} from '@deepseek-ai/dsh-session';
import {
  createSubagents,
  forkProvider,
  spawnProvider,
  type HostControls,
  type SubagentRuntime,
} from '../../src/index.ts';
import { addTools, modelFor, slowProvider } from './actors.ts';
import { faultyAgents, faultyDriver, oddProvider } from './faults.ts';
import { lifeline, type Lifeline } from '@deepseek-ai/dsh-agent/testing';
import type { Wide } from './settings.ts';
import type { Trial } from './trial.ts';
import { throwNowAndThen } from './wide-operations.ts';

export interface Program {
  readonly number: number;
  readonly line: Lifeline;
  readonly driver: MemoryDriver;
  readonly clock: Clock;
  readonly sessions: SessionStore;
  readonly agents: AgentRegistry;
  readonly tools: ToolRegistry;
  readonly runtime: SubagentRuntime;
  readonly host: HostControls;
  readonly providers: Map<string, Registration>;
  readonly roots: Map<SessionId, AgentHandle>;
  /** The host has begun to end it as a whole. */
  ending: boolean;
}

export async function openProgram(trial: Trial): Promise<Program> {
  trial.programs += 1;
  const number = trial.programs;
  const line = lifeline(trial.scheduler);
  const { time, keepWarmMs, maxDepth, wide } = trial.settings;
  const clock = scheduledClock(line, { fire: time });
  const driver = memoryDriver({ medium: trial.medium, clock });
  const alive = (): boolean => trial.programs === number;
  const onDiagnostic = (diagnostic: Diagnostic): void => {
    if (alive()) trial.tell({ at: 'diagnostic', diagnostic });
  };
  const random = (): number => line.random();
  const newId = (): string => {
    trial.names += 1;
    return `n${String(trial.names)}`;
  };
  const sessions = await openSessionStore({
    driver: faultyDriver(
      trial,
      line,
      scheduledDriver(driver, line, { fault: (call) => faultOf(trial, call) }),
    ),
    ...{ clock, random, newId, onDiagnostic },
  });
  const tools = createToolRegistry();
  const agents = createAgentRegistry({
    ...{ sessions, tools, clock, random, newId, onDiagnostic },
    models: (route) => modelFor(trial, number, line, route),
    defaults: { system: 'You are an agent.' },
    limits: { modelAttempts: 2, ...(wide === undefined ? {} : { modelCalls: wide.modelCalls }) },
  });
  listen(trial, agents, alive);
  const { runtime, host } = createSubagents({
    ...{ sessions, tools, clock, random, newId, onDiagnostic, keepWarmMs },
    agents: trial.settings.faulty === undefined ? agents : faultyAgents(trial, line, agents),
    limits: { maxDepth, ...limitsOf(wide) },
    ...(wide === undefined ? {} : { inbox: wide.inbox }),
  });
  if (wide?.throwing === true) throwNowAndThen(trial, agents, runtime, alive);
  listenToRuntime(trial, agents, runtime, alive);
  const odd = trial.settings.faulty?.providers === true ? [oddProvider(trial, line)] : [];
  const all = [spawnProvider(), forkProvider(), slowProvider(trial, line), ...odd];
  const providers = new Map(all.map((provider) => [provider.name, runtime.registerProvider(provider)]));
  const program: Program = {
    ...{ number, line, driver, clock, sessions, agents, tools, runtime, host, providers },
    roots: new Map(),
    ending: false,
  };
  trial.program = program;
  addTools(trial, program, tools);
  return program;
}

function limitsOf(wide: Wide | undefined) {
  if (wide === undefined) return {};
  const { maxLive, maxTotal, budgetTokens, maxHops } = wide;
  return {
    maxHops,
    ...(maxLive === undefined ? {} : { maxLive }),
    ...(maxTotal === undefined ? {} : { maxTotal }),
    ...(budgetTokens === undefined ? {} : { budgetTokens }),
  };
}

/** Releasing never fails: a place that is kept for ever is what the driver's own tests are about. */
function faultOf(trial: Trial, { method, ids }: DriverCall): DriverFault | undefined {
  if (!trial.settings.faults || method === 'release' || method === 'list') return undefined;
  if (!trial.chance(`fault of ${method}`, 8)) return undefined;
  const effect = method === 'append' && trial.chance('after its effect', 2) ? 'done' : 'none';
  return { effect, error: sessionError('NOT_DURABLE', `a planned failure of ${method} ${ids.join(' ')}`) };
}

/** Registered before the runtime, so that the invariants have heard what the runtime then reacts to. */
function listen(trial: Trial, agents: AgentRegistry, alive: () => boolean): void {
  const tell: Trial['tell'] = (happening) => {
    if (!alive()) return;
    trial.tell(happening);
    trial.spring(happening.at, false);
  };
  agents.on('agent/created', ({ agent }) => {
    agent.session.subscribe((event) => {
      tell({ at: 'log', session: agent.session, event });
    });
    tell({ at: 'created', agent });
  });
  agents.on('agent/disposed', ({ agent }) => {
    trial.stale.push(agent);
    tell({ at: 'disposed', agent });
  });
  agents.on('agent/status', (event) => {
    tell({ at: 'status', ...event });
  });
  agents.on('agent/inbox/enqueue', (event) => {
    tell({ at: 'enqueue', ...event });
  });
  agents.on('agent/inbox/dequeue', (event) => {
    tell({ at: 'dequeue', ...event });
  });
  agents.on('agent/inbox/discard', (event) => {
    tell({ at: 'discard', ...event });
  });
  agents.on('agent/turn/start', (event) => {
    tell({ at: 'turn-start', ...event });
  });
  agents.on('agent/turn/end', (event) => {
    tell({ at: 'turn-end', ...event });
  });
  agents.on('agent/tool/start', ({ agent }) => {
    tell({ at: 'tool', agent });
  });
}

function listenToRuntime(
  trial: Trial,
  agents: AgentRegistry,
  runtime: SubagentRuntime,
  alive: () => boolean,
): void {
  const tell: Trial['tell'] = (happening) => {
    if (!alive()) return;
    trial.tell(happening);
    trial.spring(happening.at, true);
  };
  runtime.on('subagent/start', (epoch) => {
    tell({ at: 'epoch-start', epoch });
  });
  runtime.on('subagent/end', (epoch) => {
    tell({ at: 'epoch-end', epoch });
  });
  runtime.on('subagent/parked', (epoch) => {
    tell({ at: 'parked', epoch });
  });
  const late = {
    enqueue: 'agent/inbox/enqueue',
    discard: 'agent/inbox/discard',
    disposed: 'agent/disposed',
  } as const;
  for (const [at, type] of Object.entries(late)) {
    agents.on(type, () => {
      if (alive()) trial.spring(at as keyof typeof late, true);
    });
  }
}

/** The process dies in this instant. Nobody hears of anything that it does afterwards. */
export async function crash(trial: Trial): Promise<Program> {
  const { program } = trial;
  trial.tell({ at: 'crash' });
  program.driver.crash();
  program.line.cut();
  trial.stale.push(...program.agents.list());
  trial.armed.length = 0;
  return openProgram(trial);
}

/** By its route: its id is the runtime's own choice. */
export function isOneShot(agent: Agent): boolean {
  return agent.options.model.startsWith('model of o');
}

export function depthOf(agent: Agent): number {
  return agent.session.header.delegationDepth ?? 0;
}
