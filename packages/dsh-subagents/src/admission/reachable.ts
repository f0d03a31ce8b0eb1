import type { Agent } from '@deepseek-ai/dsh-agent';
import type { SessionId } from '@deepseek-ai/dsh-session';
import type { Context } from '../context.ts';
import { isExactLive } from './admit.ts';

const most = 10;

/** Whom an exact live agent can write to: its live direct parent, then its newest children; ten at most (M12). */
export async function reachableFrom(context: Context, sender: Agent): Promise<readonly SessionId[]> {
  if (!isExactLive(context, sender)) return [];
  const parentId = context.slots.of(sender)?.parentId;
  const parent = parentId !== undefined && context.agents.get(parentId) !== undefined ? [parentId] : [];
  const children: { readonly id: SessionId; readonly createdAt: number }[] = [];
  try {
    for await (const entry of context.sessions.list({ parent: sender.id, origin: 'subagent' })) {
      if (entry.kind === 'session') children.push({ id: entry.id, createdAt: entry.header.createdAt });
    }
  } catch (cause) {
    context.report({
      code: 'children-not-listed',
      level: 'warning',
      message: `A refusal could not name the children of ${sender.id}.`,
      sessionId: sender.id,
      cause,
    });
  }
  const newest = children.sort((a, b) => b.createdAt - a.createdAt).map(({ id }) => id);
  return [...parent, ...newest].slice(0, most);
}
