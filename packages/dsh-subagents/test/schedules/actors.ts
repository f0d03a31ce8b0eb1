/** Models, tools and providers whose behaviour the schedule chooses. */
import {
  modelError,
  type Agent,
  type Model,
  type ModelEvent,
  type ToolDefinition,
  type ToolRegistry,
} from '@deepseek-ai/dsh-agent';
import type { SessionId } from '@deepseek-ai/dsh-session';
import type { SubagentProvider } from '../../src/index.ts';
import { requestProblem, type Lifeline } from '@deepseek-ai/dsh-agent/testing';
import { idle } from './faults.ts';
import { chooseTarget, send, startChild } from './operations.ts';
import type { Program } from './program.ts';
import type { Trial } from './trial.ts';

/** Each agent has a route of its own, so that a request says whose it is. */
export const routeOf = (id: SessionId): string => `model of ${id}`;
const ownerOf = (route: string): SessionId => route.slice('model of '.length) as SessionId;

export function modelFor(trial: Trial, program: number, line: Lifeline, route: string): Model {
  const id = ownerOf(route);
  return {
    id: route,
    stream(request, { signal }) {
      // A one-shot's agent has an id that the runtime chose.
      const agent = trial.program.agents.list().find(({ options }) => options.model === route);
      if (program === trial.programs) {
        trial.tell({ at: 'request', id, agent });
        const problem = requestProblem(request, trial.program.agents.list());
        if (problem !== undefined) trial.fail(`[A13 S9] ${problem}`);
        if (agent !== undefined) heed(trial, agent, signal);
      }
      return answer(trial, line, id, signal);
    },
  };
}

/** The instant at which a turn is aborted, as everyone in it sees it. */
function heed(trial: Trial, agent: Agent, signal: AbortSignal): void {
  const turn = agent.session.turns - 1;
  const tell = (): void => {
    // A request alone may be given up too.
    if ((signal.reason as { readonly code?: unknown } | undefined)?.code !== 'TURN_ABORTED') return;
    trial.tell({ at: 'aborted', agent, turn });
  };
  if (signal.aborted) tell();
  else signal.addEventListener('abort', tell, { once: true });
}

const endings = [
  'stop',
  'stop',
  'stop',
  'stop',
  'stop',
  'fail',
  'retry',
  'cut',
  'max-tokens',
  'refused',
  'hang',
] as const;
const toolNames = ['delegate', 'write', 'work', 'deaf'] as const;

async function* answer(
  trial: Trial,
  line: Lifeline,
  id: SessionId,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent> {
  await line.task(`${id} is asked`);
  signal.throwIfAborted();
  const calls = trial.fuel > 0 ? trial.choose('calls', 3) : 0;
  for (let call = 0; call < calls; call += 1) {
    trial.fuel -= 1;
    const name = trial.pick('tool', trial.settings.deaf ? toolNames : toolNames.slice(0, 3)) ?? 'work';
    yield { type: 'tool-call', callId: `call ${String(trial.fuel)}`, name, input: '{}' };
  }
  yield { type: 'text', delta: `${id} says` };
  const ending = calls > 0 ? 'tool-calls' : (endings[trial.choose('ending', endings.length)] ?? 'stop');
  switch (ending) {
    case 'fail':
    case 'retry':
      throw modelError('OVERLOADED', 'a planned failure', { retryable: ending === 'retry' });
    case 'cut':
      return;
    case 'hang':
      await idle(trial, line, `${id} hangs`);
      break;
    default:
      await line.task(`${id} answers`);
  }
  signal.throwIfAborted();
  const reason = ending === 'hang' ? 'stop' : ending;
  yield { type: 'finish', reason, usage: { inputTokens: 2, outputTokens: 1 } };
}

export function addTools(trial: Trial, program: Program, tools: ToolRegistry): void {
  const { line } = program;
  const add = (name: (typeof toolNames)[number], execute: ToolDefinition['execute']): void => {
    tools.register({
      name,
      description: `${name} of the schedule`,
      inputSchema: { json: { type: 'object' }, parse: (value) => ({ value }) },
      execute(input, context) {
        if (program.number === trial.programs) heed(trial, context.agent, context.signal);
        return execute(input, context);
      },
    });
  };
  add('delegate', async (_input, { agent, signal }) => {
    await line.task(`${agent.id} delegates`);
    await startChild(trial, agent, signal);
    return 'started';
  });
  add('write', async (_input, { agent, signal }) => {
    await line.task(`${agent.id} writes`);
    await send(trial, agent, chooseTarget(trial, agent), signal);
    return 'sent';
  });
  add('work', async (_input, { agent, signal }) => {
    await line.task(`${agent.id} works`);
    signal.throwIfAborted();
    await line.task(`${agent.id} has worked`);
    return 'done';
  });
  add('deaf', async (_input, { agent }) => {
    await idle(trial, line, `${agent.id} hears nothing`);
    return 'done';
  });
}

/** Takes its time, fails now and then, and may not heed its signal. */
export function slowProvider(trial: Trial, line: Lifeline): SubagentProvider {
  return {
    name: 'slow',
    capabilities: { outputSchema: false, depthLimit: true, toolFilter: true, persona: true },
    start: async (request) => {
      await line.task('a provider starts');
      return request.runAgent({});
    },
    async prepareContinuable() {
      if (trial.settings.deaf && trial.chance('provider is deaf', 2))
        await idle(trial, line, 'a provider hears nothing');
      else await line.task('a provider prepares');
      if (trial.chance('provider fails', 5)) throw new Error('a planned failure of a provider');
      return {};
    },
  };
}
