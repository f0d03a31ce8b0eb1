/**
 * What a person does from the page (H13).
 * Owns: which stored roots are being woken, and which roots were made for which message.
 * I1. A message is accepted once, however often its request comes: its id is the page's own.
 * I2. A request that goes away takes nothing back: from its acceptance on a message is the agent's.
 */
import type { Agent, AgentRegistry } from '@deepseek-ai/dsh-agent';
import { parseSessionId, type MessageId, type SessionId, type SessionStore } from '@deepseek-ai/dsh-session';
import type { HostControls } from '@deepseek-ai/dsh-subagents';
import type {
  CreateReply,
  CreateRequest,
  InterruptReply,
  PromptReply,
  PromptRequest,
  StopReply,
} from '../protocol.ts';
import { apiFailure } from './api-failure.ts';

export interface ActionDeps {
  readonly agents: Pick<AgentRegistry, 'get' | 'create' | 'resume'>;
  readonly sessions: Pick<SessionStore, 'head'>;
  readonly host: () => HostControls;
  /** The route of roots that are made or woken here. Without it there are none. */
  readonly model: string | undefined;
  readonly cwd: string;
  /** Ends what waits when the server ends. */
  readonly signal: AbortSignal;
}

export interface Actions {
  prompt(id: string, prompt: PromptRequest): Promise<PromptReply>;
  create(prompt: CreateRequest): Promise<CreateReply>;
  interrupt(id: string): Promise<InterruptReply>;
  stop(id: string): Promise<StopReply>;
}

/** How many made roots are remembered. */
const mostRemembered = 1_000;

export function createActions(deps: ActionDeps): Actions {
  const waking = new Map<SessionId, Promise<Agent>>();
  const made = new Map<string, Promise<CreateReply>>();
  const parentOf = async (id: SessionId): Promise<SessionId | undefined> => {
    const { session } = deps.agents.get(id) ?? {};
    const { header } = session ?? (await deps.sessions.head(id, { signal: deps.signal }));
    return header.parentSession;
  };
  const rootAgent = async (id: SessionId): Promise<Agent> => {
    const live = deps.agents.get(id);
    if (live !== undefined) return live;
    const known = waking.get(id) ?? wake(deps, id).finally(() => waking.delete(id));
    waking.set(id, known);
    return known;
  };
  return {
    async prompt(text, { text: content, messageId }) {
      const id = parseSessionId(text);
      const parentSessionId = await parentOf(id);
      if (parentSessionId === undefined) return write(await rootAgent(id), content, messageId);
      const prompt = { parentSessionId, content, messageId: messageId as MessageId, wakeAncestors: true };
      return { messageId: await deps.host().prompt(id, { ...prompt, signal: deps.signal }) };
    },
    create(prompt) {
      const known = made.get(prompt.messageId);
      if (known !== undefined) return known;
      const making = makeRoot(deps, prompt);
      made.set(prompt.messageId, making);
      // What failed may be tried again.
      making.catch(() => made.delete(prompt.messageId));
      for (const old of made.keys()) {
        if (made.size <= mostRemembered) break;
        made.delete(old);
      }
      return making;
    },
    async interrupt(text) {
      const id = parseSessionId(text);
      const agent = deps.agents.get(id);
      if (agent?.status !== 'running') {
        await parentOf(id);
        throw apiFailure('NOTHING_TO_INTERRUPT', `Nothing was interrupted: ${id} has no turn under way.`);
      }
      return interrupt(deps, agent);
    },
    async stop(text) {
      const id = parseSessionId(text);
      const parent = await parentOf(id);
      if (parent === undefined)
        throw apiFailure(
          'NOT_A_CHILD',
          `Nothing was stopped: ${id} is a root, and only children are stopped.`,
        );
      await deps.host().stopChildren(parent, [id], { signal: deps.signal });
      return { stopped: true };
    },
  };
}

function write(agent: Agent, content: string, messageId: string): PromptReply {
  return { messageId: agent.followup({ id: messageId as MessageId, content, source: { kind: 'user' } }) };
}

async function wake({ agents, model, signal }: ActionDeps, id: SessionId): Promise<Agent> {
  if (model === undefined)
    throw apiFailure(
      'NO_MODEL',
      `Nothing was sent: ${id} is not in memory, and this server has no model to wake it with.`,
    );
  const { agent } = await agents.resume({ id, model, signal });
  return agent;
}

async function makeRoot(
  { agents, model, cwd, signal }: ActionDeps,
  prompt: CreateRequest,
): Promise<CreateReply> {
  if (model === undefined)
    throw apiFailure('NO_MODEL', 'Nothing was made: this server has no model for a new root.');
  const { agent } = await agents.create({ cwd, model, signal });
  return { id: agent.id, ...write(agent, prompt.text, prompt.messageId) };
}

async function interrupt({ host }: ActionDeps, agent: Agent): Promise<InterruptReply> {
  const { parentSession } = agent.session.header;
  const receipt =
    parentSession === undefined
      ? { ...agent.cancel('user', { keepInbox: true }), descendantsRunning: 0 }
      : await host().interrupt(agent.id, { parentSessionId: parentSession });
  const { turn, kept, descendantsRunning } = receipt;
  return { ...(turn === undefined ? {} : { turn }), kept: kept.length, descendantsRunning };
}
