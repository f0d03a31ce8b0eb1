/** A whole program over a store that is measured, with a model that answers at once or holds. */
import {
  createAgentRegistry,
  createToolRegistry,
  type Agent,
  type AgentRegistry,
  type Model,
} from '@deepseek-ai/dsh-agent';
import { parseSessionId, type SessionId, type SessionStore } from '@deepseek-ai/dsh-session';
import { createSubagents, spawnProvider, type SubagentRuntime } from '@deepseek-ai/dsh-subagents';
import { deferred, type Deferred } from '@dsh-internal/async';
import { openStore } from './store.ts';

export interface Program extends AsyncDisposable {
  readonly sessions: SessionStore;
  readonly agents: AgentRegistry;
  readonly runtime: SubagentRuntime;
  root(): Promise<Agent>;
  start(parent: Agent, name: string): Promise<Agent>;
  /** From now on every model call stands still; the function lets them all go on. */
  hold(): () => void;
}

export const rootId = parseSessionId('root');

export async function openProgram(driver: string, folder: string): Promise<Program> {
  const sessions = await openStore(driver, folder);
  const gate = gated();
  const agents = createAgentRegistry({
    ...{ sessions, tools: createToolRegistry(), models: () => modelBehind(gate) },
    defaults: { model: 'instant', system: 'You are an agent.' },
  });
  const { runtime } = createSubagents({ agents, sessions, limits: { maxDepth: 100, maxHops: 1_000_000 } });
  runtime.registerProvider(spawnProvider());
  return {
    ...{ sessions, agents, runtime, hold: gate.hold },
    root: async () => (await agents.create({ id: rootId })).agent,
    async start(parent, name) {
      const childId = parseSessionId(name);
      await runtime.startContinuable({
        ...{ provider: 'spawn', label: 'child', childId },
        request: { prompt: 'Study pears.', parent },
      });
      return live(agents, childId);
    },
    async [Symbol.asyncDispose]() {
      await agents[Symbol.asyncDispose]();
      await sessions[Symbol.asyncDispose]();
    },
  };
}

function live(agents: AgentRegistry, id: SessionId): Agent {
  const agent = agents.get(id);
  if (agent === undefined) throw new Error(`${id} is not live`);
  return agent;
}

interface Gate {
  readonly hold: () => () => void;
  /** Resolves when nothing holds, or with the signal. */
  readonly pass: (signal: AbortSignal) => Promise<unknown>;
}

function gated(): Gate {
  let closed: Deferred<void> | undefined;
  return {
    hold() {
      const gate = deferred();
      closed = gate;
      return () => {
        closed = undefined;
        gate.resolve();
      };
    },
    pass: (signal) =>
      Promise.race([
        closed?.promise,
        new Promise<void>((resolve) => {
          signal.addEventListener('abort', () => {
            resolve();
          });
        }),
      ]),
  };
}

function modelBehind(gate: Gate): Model {
  return {
    id: 'instant',
    async *stream(_request, { signal }) {
      await gate.pass(signal);
      yield { type: 'text', delta: 'Pears are ripe.' };
      yield { type: 'finish', reason: 'stop' };
    },
  };
}
