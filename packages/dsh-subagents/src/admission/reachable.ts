import type { Agent } from '@deepseek-ai/dsh-agent';
import { SessionError, type SessionId } from '@deepseek-ai/dsh-session';
import type { Context } from '../context.ts';
import { reconstruct } from '../resume/reconstruct.ts';
import { isExactLive, isLeaving } from './admit.ts';

const most = 10;
/** Heads that are read for one refusal, however many one-shot children there are. */
const mostLooks = 100;

/** Whom an exact live agent can write to: its live direct parent, then its newest continuable children; ten at most (M12). */
export async function reachableFrom(context: Context, sender: Agent): Promise<readonly SessionId[]> {
  if (!isExactLive(context, sender) || isLeaving(context, sender)) return [];
  const parentId = context.slots.of(sender)?.parentId;
  const reachable = parentId !== undefined && context.agents.get(parentId) !== undefined ? [parentId] : [];
  try {
    for (const id of (await newestChildren(context, sender.id)).slice(0, mostLooks)) {
      if (reachable.length === most) break;
      if (await isContinuable(context, id)) reachable.push(id);
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
  return reachable;
}

/** Those that are in memory may not be on the medium yet. */
async function newestChildren({ sessions, slots }: Context, parentId: SessionId): Promise<SessionId[]> {
  const createdAt = new Map<SessionId, number>();
  for (const { childId, accepted, reservedAt } of slots.childrenOf(parentId))
    if (accepted) createdAt.set(childId, sessions.get(childId)?.header.createdAt ?? reservedAt);
  for await (const entry of sessions.list({ parent: parentId, origin: 'subagent' }))
    if (entry.kind === 'session') createdAt.set(entry.id, entry.header.createdAt);
  return [...createdAt].sort(([, a], [, b]) => b - a).map(([id]) => id);
}

async function isContinuable({ sessions, slots }: Context, id: SessionId): Promise<boolean> {
  if (slots.get(id)?.accepted === true) return true;
  try {
    return reconstruct(sessions.get(id) ?? (await sessions.head(id))).kind === 'ok';
  } catch (error) {
    if (SessionError.is(error)) return false;
    throw error;
  }
}
