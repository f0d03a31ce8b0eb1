/** A model, tools and hooks whose behaviour the schedule chooses. */
import {
  modelError,
  type Agent,
  type AgentHooks,
  type Model,
  type ModelEvent,
  type ModelRequest,
  type StepDecision,
  type ToolDefinition,
  type ToolRegistry,
} from '@deepseek-ai/dsh-agent';
import type { Lifeline } from '@deepseek-ai/dsh-agent/testing';
import type { SessionId } from '@deepseek-ai/dsh-session';
import type { Trial } from './trial.ts';

export function modelOf(trial: Trial, program: number, line: Lifeline): Model {
  return {
    id: 'main',
    stream(request, { signal }) {
      const agent = trial.program.agents.get(request.effort as SessionId);
      if (agent !== undefined && program === trial.programs) {
        trial.tell({ at: 'request', agent, request });
        heed(trial, agent, signal);
      }
      return told(trial, program, agent, answer(trial, line, request, signal));
    },
  };
}

/** The instant at which a request is given up, with its turn or alone. */
function heed(trial: Trial, agent: Agent, signal: AbortSignal): void {
  const turn = agent.session.turns - 1;
  const tell = (): void => {
    const { code } = signal.reason as { readonly code?: string };
    if (code === 'TURN_ABORTED' && agent.session.turnOpen) trial.tell({ at: 'aborted', agent, turn });
    trial.tell({ at: 'request-end', agent });
  };
  if (signal.aborted) tell();
  else signal.addEventListener('abort', tell, { once: true });
}

/** Says when the stream is over, whoever has ended it. */
async function* told(
  trial: Trial,
  program: number,
  agent: Agent | undefined,
  events: AsyncGenerator<ModelEvent>,
): AsyncGenerator<ModelEvent> {
  try {
    yield* events;
  } finally {
    if (agent !== undefined && program === trial.programs) trial.tell({ at: 'request-end', agent });
  }
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
const toolNames = ['work', 'alone', 'asks', 'fails', 'nobody', 'deaf'] as const;

async function* answer(
  trial: Trial,
  line: Lifeline,
  request: ModelRequest,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent> {
  const who = request.effort ?? '';
  await line.task(`${who} is asked`);
  signal.throwIfAborted();
  yield { type: 'reasoning', delta: 'hm' };
  yield { type: 'block-end', providerMetadata: { signature: request.messages.length } };
  yield { type: 'text', delta: 'so ' };
  await line.task(`${who} speaks`);
  signal.throwIfAborted();
  const calls = trial.fuel > 0 ? trial.choose('calls', 4) : 0;
  for (let call = 0; call < calls; call += 1) {
    trial.fuel -= 1;
    const name = trial.pick('tool', trial.settings.deaf ? toolNames : toolNames.slice(0, -1)) ?? 'work';
    const input = trial.chance('malformed', 12) ? '{"a":' : '{}';
    yield {
      type: 'tool-call',
      callId: `call ${String(request.messages.length)}.${String(call)}`,
      name,
      input,
    };
  }
  const ending = calls > 0 ? 'tool-calls' : (endings[trial.choose('ending', endings.length)] ?? 'stop');
  if (ending === 'fail' || ending === 'retry') {
    throw modelError('OVERLOADED', 'a planned failure', { retryable: ending === 'retry' });
  }
  if (ending === 'cut') return;
  if (ending === 'hang') await idle(line, `${who} hangs`);
  else await line.task(`${who} ends`);
  signal.throwIfAborted();
  yield {
    type: 'finish',
    reason: ending === 'hang' ? 'stop' : ending,
    usage: { inputTokens: 2, outputTokens: 1 },
  };
}

/** Longer than everything else, but not for ever. */
function idle(line: Lifeline, label: string): Promise<void> {
  return new Promise((resolve) => {
    line.post(label, resolve, { idle: true });
  });
}

export function addTools(trial: Trial, tools: ToolRegistry, line: Lifeline): void {
  const add = (
    name: (typeof toolNames)[number],
    body: (signal: AbortSignal) => Promise<string>,
    more: Partial<ToolDefinition> = {},
  ): void => {
    tools.register({
      name,
      description: `${name} of the schedule`,
      inputSchema: { json: { type: 'object' }, parse: (value) => ({ value }) },
      async execute(_input, context) {
        const { agent, callId, signal } = context;
        trial.tell({ at: 'body', agent, callId, name });
        try {
          const output = await body(signal);
          if (trial.chance('progress', 4)) context.progress({ callId });
          return output;
        } finally {
          if (!trial.program.ending) trial.tell({ at: 'body-end', agent, callId, name });
        }
      },
      ...more,
    });
  };
  const work = async (signal: AbortSignal): Promise<string> => {
    await line.task('a tool works');
    signal.throwIfAborted();
    await line.task('a tool has worked');
    return 'done';
  };
  add('work', work);
  add('alone', work, { exclusive: true });
  add('asks', work, { approval: true });
  add('fails', async () => {
    await line.task('a tool fails');
    throw new Error('a planned failure of a tool');
  });
  add('deaf', async () => {
    await idle(line, 'a tool hears nothing');
    return 'late';
  });
}

/** `parks` is told in the span in which the hook decides. */
export function hooksOf(trial: Trial, line: Lifeline): AgentHooks {
  const { hook, hooksFail } = trial.settings;
  const mayFail = (agent: Agent, what: string): void => {
    if (!hooksFail || !trial.chance(`${what} fails`, 6)) return;
    trial.tell({ at: 'hook', agent, parks: true });
    throw new Error('a planned failure of a hook');
  };
  const rest: AgentHooks = {
    async beforeRequest({ agent }) {
      if (!hooksFail) return undefined;
      await line.task('a hook looks at a request');
      mayFail(agent, 'beforeRequest');
      return trial.chance('refuse a request', 6)
        ? { refuse: trial.chance('budget', 2) ? 'BUDGET' : 'NO' }
        : undefined;
    },
    async beforeToolCall({ agent, call }) {
      if (!hooksFail) return undefined;
      await line.task('a hook looks at a call');
      mayFail(agent, 'beforeToolCall');
      return trial.chance('replace a call', 6) ? `instead of ${call.name}` : undefined;
    },
    afterToolCall({ agent }) {
      mayFail(agent, 'afterToolCall');
      return undefined;
    },
    async requestApproval() {
      await line.task('somebody is asked');
      return trial.chance('approved', 2);
    },
  };
  return hook === 'none' ? rest : { ...rest, beforeStep: (event) => stepHook(trial, line, event) };
}

async function stepHook(
  trial: Trial,
  line: Lifeline,
  { agent, entries }: Parameters<NonNullable<AgentHooks['beforeStep']>>[0],
): Promise<StepDecision | undefined> {
  const { hook } = trial.settings;
  await line.task('a hook looks at a step');
  if (hook === 'slow' || trial.chance('let it be', 2)) return undefined;
  if (hook === 'defer' || hook === 'throw') trial.tell({ at: 'hook', agent, parks: true });
  switch (hook) {
    case 'rewrite':
      return {
        kind: 'claim',
        entries: entries.map((entry) => ({
          ...entry,
          message: { ...entry.message, content: [{ type: 'text', text: `seen ${entry.message.id}` }] },
        })),
      };
    case 'some': {
      const chosen = entries.filter(() => trial.chance('claim it', 2));
      if (chosen.length === 0) trial.tell({ at: 'hook', agent, parks: true });
      return { kind: 'claim', entries: chosen };
    }
    case 'defer':
      return { kind: 'defer' };
    case 'refuse':
      return { kind: 'refuse' };
    case 'throw':
      throw new Error('a planned failure of a hook');
    case 'none':
      return undefined;
  }
}
