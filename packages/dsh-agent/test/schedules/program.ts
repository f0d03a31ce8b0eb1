/** One process of a schedule: registry and memory store over a scheduled driver, clock, model and tools. */
import {
  createAgentRegistry,
  createToolRegistry,
  type Agent,
  type AgentHandle,
  type AgentRegistry,
} from '@deepseek-ai/dsh-agent';
import {
  lifeline,
  scheduledClock,
  scheduledDriver,
  type DriverCall,
  type DriverFault,
  type Lifeline,
} from '@deepseek-ai/dsh-agent/testing';
import {
  memoryDriver,
  openSessionStore,
  sessionError,
  type Diagnostic,
  type MemoryDriver,
  type SessionEvent,
  type SessionId,
  type SessionStore,
} from '@deepseek-ai/dsh-session';
import { addTools, hooksOf, modelOf } from './actors.ts';
import { inMemory, onMedium } from './stored.ts';
import type { Trial } from './trial.ts';

export interface Program {
  readonly number: number;
  readonly line: Lifeline;
  readonly driver: MemoryDriver;
  readonly sessions: SessionStore;
  readonly agents: AgentRegistry;
  /** The newest handle of each id, also when its agent has left. */
  readonly handles: Map<SessionId, AgentHandle>;
  /** The test has begun to end it. */
  ending: boolean;
}

export const agentIds = ['s', 't'] as readonly string[] as readonly SessionId[];

export async function openProgram(trial: Trial): Promise<Program> {
  trial.programs += 1;
  const number = trial.programs;
  const alive = (): boolean => trial.programs === number;
  const line = lifeline(trial.scheduler);
  const { time, checkpoint, steps, modelCalls, toolCalls, inboxEntries } = trial.settings;
  const clock = scheduledClock(line, { fire: time });
  const driver = memoryDriver({ medium: trial.medium, clock });
  const onDiagnostic = (diagnostic: Diagnostic): void => {
    if (alive()) trial.tell({ at: 'diagnostic', diagnostic });
  };
  let names = 0;
  const newId = (): string => {
    names += 1;
    return `n${String(number)}.${String(names)}`;
  };
  const random = (): number => line.random();
  const sessions = await openSessionStore({
    driver: scheduledDriver(driver, line, { fault: (call) => faultOf(trial, call) }),
    ...{ clock, random, newId, onDiagnostic },
  });
  const tools = createToolRegistry();
  const agents = createAgentRegistry({
    ...{ sessions, tools, clock, random, newId, onDiagnostic, checkpoint },
    models: (route) => (route === 'main' ? modelOf(trial, number, line) : undefined),
    hooks: hooksOf(trial, line),
    defaults: { model: 'main', system: 'You are an agent.' },
    limits: { modelAttempts: 2, steps, modelCalls, toolCalls, inboxEntries },
  });
  listen(trial, agents, alive);
  const program: Program = { number, line, driver, sessions, agents, handles: new Map(), ending: false };
  trial.program = program;
  addTools(trial, tools, line);
  return program;
}

/** Releasing never fails: a place that is kept for ever is what the driver's own tests are about. */
function faultOf(trial: Trial, { method, ids }: DriverCall): DriverFault | undefined {
  if (!trial.settings.faults || method === 'release') return undefined;
  if (!trial.chance(`fault of ${method}`, 8)) return undefined;
  const effect = method === 'append' && trial.chance('after its effect', 2) ? 'done' : 'none';
  return { effect, error: sessionError('NOT_DURABLE', `a planned failure of ${method} ${ids.join(' ')}`) };
}

function listen(trial: Trial, agents: AgentRegistry, alive: () => boolean): void {
  const tell: Trial['tell'] = (happening) => {
    if (alive()) trial.tell(happening);
  };
  const plain = {
    'agent/created': 'created',
    'agent/disposed': 'disposed',
    'agent/status': 'status',
    'agent/inbox/enqueue': 'enqueue',
    'agent/inbox/dequeue': 'dequeue',
    'agent/inbox/discard': 'discard',
    'agent/turn/start': 'turn-start',
    'agent/turn/end': 'turn-end',
  } as const;
  for (const [type, at] of Object.entries(plain)) {
    agents.on(type as keyof typeof plain, (event) => {
      tell({ at, ...event } as Parameters<Trial['tell']>[0]);
    });
  }
  for (const end of ['start', 'end'] as const) {
    agents.on(`agent/tool/${end}`, ({ agent, call }) => {
      tell({ at: `tool-${end}`, agent, callId: call.callId, name: call.name });
    });
  }
}

/** Makes the agent of an id, or resumes it where it is stored. Its log is heard from before anyone can find it. */
export async function openAgent(trial: Trial, id: SessionId): Promise<void> {
  const { program, settings } = trial;
  const alive = (): boolean => trial.program === program && trial.programs === program.number;
  const spec = {
    id,
    // A request says by it whose it is.
    effort: id,
    setup(agent: Agent): Promise<void> | undefined {
      if (trial.settings.faults) refuseSomeClaims(trial, agent);
      const begin = (events: readonly SessionEvent[], loaded: boolean): void => {
        if (alive()) trial.tell({ at: 'made', agent, events, loaded });
        agent.session.subscribe((event) => {
          if (alive()) trial.tell({ at: 'log', agent, event });
        });
      };
      const own = inMemory(agent.session);
      if (own === undefined)
        return onMedium(trial.medium, id).then((events) => {
          begin(events, false);
        });
      begin(own, true);
      return undefined;
    },
    admit: (handle: AgentHandle): void => {
      program.handles.set(id, handle);
    },
  };
  const stored = await program.sessions.head(id).then(
    () => true,
    () => false,
  );
  if (stored) await program.agents.resume(spec);
  else await program.agents.create({ ...spec, inbox: settings.durable ? 'durable' : 'process' });
}

/** A log that takes a claim only as a whole, and not always. */
function refuseSomeClaims(trial: Trial, { session }: Agent): void {
  const appendAll = session.appendAll.bind(session);
  session.appendAll = (entries) => {
    if (entries.some(({ type }) => type === 'user/message') && trial.chance('refuse a claim', 6)) {
      throw sessionError('BACKPRESSURE', 'a planned refusal');
    }
    return appendAll(entries);
  };
}

/** The process dies in this instant. Nobody hears of anything that it does afterwards. */
export async function crash(trial: Trial): Promise<void> {
  const { program } = trial;
  trial.tell({ at: 'crash' });
  program.driver.crash();
  program.line.cut();
  trial.armed.length = 0;
  await openProgram(trial);
  for (const id of agentIds.slice(0, trial.settings.agents)) {
    trial.track({ kind: 'open' }, () => openAgent(trial, id));
  }
}
