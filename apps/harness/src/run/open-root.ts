/** The top-level agent of a run: a new one, or one that the store knows. */
import type { AgentHandle } from '@deepseek-ai/dsh-agent';
import { SessionError, parseSessionId, type SessionId } from '@deepseek-ai/dsh-session';
import type { App } from '../app/create-app.ts';
import { UsageError } from './usage-error.ts';

/** Rejects with a {@link UsageError} where there is no such Session, where it is in use, and where it is a child's. */
export async function openRoot(app: App, resume: string | undefined, model: string): Promise<AgentHandle> {
  const { agents, sessions } = app.ctx;
  if (resume === undefined) return agents.create({ cwd: process.cwd(), model });
  const id = sessionIdOf(resume);
  try {
    const { header } = await sessions.head(id);
    if (header.parentSession !== undefined) {
      const root = header.rootSession ?? header.parentSession;
      throw new UsageError(`${resume} is a child: it is woken by its parent. Its root is ${root}`);
    }
    return await agents.resume({ id, model });
  } catch (error) {
    if (SessionError.is(error))
      throw new UsageError(`${resume} was not resumed: ${error.message} (${error.code})`);
    throw error;
  }
}

/** An id as a person writes it. */
export function sessionIdOf(text: string): SessionId {
  try {
    return parseSessionId(text);
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}
