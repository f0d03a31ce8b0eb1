/**
 * A whole program in memory: store, agents, tools and runtime, with a scripted model for each agent of a tree.
 * Owns: what it makes; disposing it disposes all of that, drain first. Does not own: the medium.
 */
import {
  createAgentRegistry,
  createToolRegistry,
  type Agent,
  type AgentLimits,
  type AgentRegistry,
  type Model,
  type ToolRegistry,
} from '@deepseek-ai/dsh-agent';
import {
  checkedModel,
  scriptedModel,
  virtualClock,
  type ScriptedModel,
  type ScriptedTurn,
  type VirtualClock,
} from '@deepseek-ai/dsh-agent/testing';
import {
  memoryDriver,
  memoryMedium,
  openSessionStore,
  type Diagnostic,
  type MemoryMedium,
  type SessionDriver,
  type SessionStore,
} from '@deepseek-ai/dsh-session';
import { createSubagents } from '../create.ts';
import type { SubagentsOptions } from '../options.ts';
import { forkProvider } from '../providers/fork.ts';
import { spawnProvider } from '../providers/spawn.ts';
import type { HostControls, SubagentRuntime } from '../subagents.ts';
import { labelOf } from './labels.ts';

export interface TestProgramOptions {
  /** What each agent says, by the label of its task; `root` is an agent without one. Default `(end of script)`. */
  readonly scripts?: Readonly<Record<string, readonly ScriptedTurn[]>>;
  /** Of the runtime. */
  readonly subagents?: Partial<SubagentsOptions>;
  /** Of the agents. */
  readonly limits?: AgentLimits;
  /** The routes under which the scripts are found. Default: `scripted` alone. */
  readonly models?: readonly string[];
  /** What was stored before: a second program over the same medium is a second process. Default: nothing. */
  readonly medium?: MemoryMedium;
  /** Puts a driver of the test's own before the one that stores. */
  readonly wrapDriver?: (driver: SessionDriver) => SessionDriver;
}

/**
 * Made by {@link openTestProgram}. Its models have the route `scripted`; `spawn` and `fork` are registered.
 * A request that is not what the log of its agent gives fails, and its turn ends with an error (A13).
 */
export interface TestProgram extends AsyncDisposable {
  /** Decides every time and timer of the program. */
  readonly clock: VirtualClock;
  /** What was stored: a second program over it is a second process. */
  readonly medium: MemoryMedium;
  /** Over a memory driver. */
  readonly sessions: SessionStore;
  /** Empty at first. */
  readonly tools: ToolRegistry;
  /** Every agent runs with the scripted model. */
  readonly agents: AgentRegistry;
  /** With the providers `spawn` and `fork`. */
  readonly runtime: SubagentRuntime;
  /** A person's controls of that runtime. */
  readonly host: HostControls;
  /** What was reported so far, the oldest first. */
  readonly diagnostics: readonly Diagnostic[];
  /** The script of one agent. */
  model(label: string): ScriptedModel;
  /** The process dies: nothing more is stored, and its writers' places are free. */
  crash(): void;
}

/** Makes a program in memory. Nothing in it waits for the machine's clock. */
export async function openTestProgram(options: TestProgramOptions = {}): Promise<TestProgram> {
  const clock = virtualClock();
  const diagnostics: Diagnostic[] = [];
  const onDiagnostic = (diagnostic: Diagnostic): void => {
    diagnostics.push(diagnostic);
  };
  const medium = options.medium ?? memoryMedium();
  const driver = memoryDriver({ medium, clock });
  const sessions = await openSessionStore({
    driver: options.wrapDriver?.(driver) ?? driver,
    clock,
    onDiagnostic,
  });
  const tools = createToolRegistry();
  const { model, find } = scriptsByLabel(options.scripts ?? {}, clock, {
    routes: options.models ?? ['scripted'],
    agents: () => agents.list(),
  });
  const agents: AgentRegistry = createAgentRegistry({
    ...{ sessions, tools, clock, onDiagnostic, models: find },
    defaults: { model: 'scripted', system: 'You are an agent.' },
    ...(options.limits === undefined ? {} : { limits: options.limits }),
  });
  const subagents = { agents, sessions, tools, clock, onDiagnostic, ...options.subagents };
  const { runtime, host } = createSubagents(subagents);
  runtime.registerProvider(spawnProvider());
  runtime.registerProvider(forkProvider());
  return {
    ...{ clock, medium, sessions, tools, agents, runtime, host, diagnostics, model },
    crash: () => {
      driver.crash();
    },
    async [Symbol.asyncDispose]() {
      await agents[Symbol.asyncDispose]();
      await sessions[Symbol.asyncDispose]();
    },
  };
}

function scriptsByLabel(
  scripts: NonNullable<TestProgramOptions['scripts']>,
  clock: VirtualClock,
  { routes, agents }: { readonly routes: readonly string[]; readonly agents: () => readonly Agent[] },
) {
  const made = new Map<string, ScriptedModel>();
  const model = (label: string): ScriptedModel => {
    const known = made.get(label) ?? scriptedModel(scripts[label] ?? [], { id: label, clock });
    made.set(label, known);
    return known;
  };
  const byLabel: Model = {
    id: 'scripted',
    stream: (request, wait) => checkedModel(model(labelOf(request)), agents).stream(request, wait),
  };
  return { model, find: (route: string) => (routes.includes(route) ? byLabel : undefined) };
}
