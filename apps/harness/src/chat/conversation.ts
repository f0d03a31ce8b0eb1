/**
 * Whom a person talks with: a root, and in its tree the one that is open.
 * I1. Another root is open before the present one is let go: where that fails, nothing has changed.
 */
import type { Agent, AgentHandle } from '@deepseek-ai/dsh-agent';
import { SessionError, type SessionId } from '@deepseek-ai/dsh-session';
import type { App } from '../app/create-app.ts';
import { openRoot, sessionIdOf } from '../run/open-root.ts';
import { UsageError } from '../run/usage-error.ts';

interface Addressee {
  readonly id: SessionId;
  readonly label: string;
  /** Nothing for the root. */
  readonly parentId?: SessionId;
}

export interface Conversation {
  readonly root: Agent;
  readonly addressee: Addressee;
  send(text: string): Promise<void>;
  /** By label, or by the beginning of an id; else a root that the store knows. */
  open(name: string): Promise<void>;
  interrupt(name: string): Promise<void>;
  /** Ends the present turn of who is open. `false` where there is none. */
  readonly interruptOpen: () => Promise<boolean>;
}

export async function startConversation(
  app: App,
  model: string,
  resume: string | undefined,
): Promise<Conversation> {
  let handle: AgentHandle = await openRoot(app, resume, model);
  let addressee: Addressee = { id: handle.agent.id, label: 'root' };
  const find = async (name: string): Promise<Addressee | undefined> => {
    const here: Addressee[] = [{ id: handle.agent.id, label: 'root' }];
    for await (const entry of app.ctx.subagents.listDescendants(handle.agent.id)) {
      if (entry.kind === 'child') here.push({ id: entry.id, label: entry.label, parentId: entry.parentId });
    }
    return theOne(name, here);
  };
  const stop = async ({ id, parentId }: Addressee): Promise<boolean> => {
    const live = app.ctx.agents.get(id);
    if (live?.status !== 'running') return false;
    if (parentId === undefined) live.cancel('user', { keepInbox: true });
    else await app.host.interrupt(id, { parentSessionId: parentId });
    return true;
  };
  return {
    get root() {
      return handle.agent;
    },
    get addressee() {
      return addressee;
    },
    async send(content) {
      const { id, parentId } = addressee;
      if (parentId === undefined) handle.agent.followup({ content, source: { kind: 'user' } });
      else await app.host.prompt(id, { parentSessionId: parentId, content, wakeAncestors: true });
    },
    async open(name) {
      const found = await find(name);
      if (found === undefined) {
        const next = await openOther(app, name, model);
        const before = handle;
        handle = next;
        addressee = { id: next.agent.id, label: 'root' };
        await app.host.disposeRoot(before);
      } else addressee = found;
    },
    async interrupt(name) {
      const found = await find(name);
      if (found === undefined) throw new UsageError(`nobody here is called ${name}`);
      if (!(await stop(found))) throw new UsageError(`${found.label} has no turn under way`);
    },
    interruptOpen: () => stop(addressee),
  };
}

/** The one who is meant. Throws where `name` may mean several: a message must not go to a wrong one. */
function theOne(name: string, here: readonly Addressee[]): Addressee | undefined {
  const named = here.filter(({ id, label }) => id === name || label === name);
  const meant = named.length > 0 ? named : here.filter(({ id }) => id.startsWith(name));
  if (meant.length < 2) return meant[0];
  const ids = meant.map(({ id }) => id).join(', ');
  throw new UsageError(`${name} may be each of ${ids}: write more of the id`);
}

async function openOther(app: App, name: string, model: string): Promise<AgentHandle> {
  try {
    await app.ctx.sessions.head(sessionIdOf(name));
  } catch (error) {
    if (!(SessionError.is(error) && error.code === 'SESSION_NOT_FOUND')) throw error;
    throw new UsageError(`nobody here is called ${name}, and no stored root has that id`);
  }
  return openRoot(app, name, model);
}
