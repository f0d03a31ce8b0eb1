import type { SessionId, Usage } from '@deepseek-ai/dsh-session';
import type { Context } from '../context.ts';
import { epochOutput } from '../notice/outcome.ts';
import type { UsageByAgent } from '../subagents.ts';

/** What the live agents of a tree have spent, by the logs in memory. Each agent's own events count, no inherited ones. */
export function usageBelow(context: Context, rootId: SessionId): UsageByAgent {
  const root = context.agents.get(rootId);
  const children = context.slots.below(rootId).map(({ handle }) => handle?.agent);
  return [root, ...children].flatMap((agent) => {
    if (agent === undefined) return [];
    const first = agent.session.header.seedLength ?? 0;
    const usage: Usage | undefined = epochOutput(agent.session.events(first), first).usage;
    return usage === undefined ? [] : [{ id: agent.id, usage }];
  });
}
