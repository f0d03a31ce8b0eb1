import type { World } from './world.ts';

/** What of a child is still there, anywhere. */
export async function leftBehind(
  { agents, sessions, runtime }: World,
  parent: string,
  child: string,
): Promise<readonly string[]> {
  const left: string[] = [];
  if (agents.list().some((agent) => agent.id === child)) left.push('agent');
  for await (const entry of sessions.list()) if (entry.id === child) left.push('stored session');
  for (const id of agents.list().map((agent) => agent.id)) if (id === child) left.push('registry');
  if (sessions.get(child as never) !== undefined) left.push('live session');
  for await (const entry of runtime.listChildren(parent as never))
    if (entry.id === child) left.push('listed');
  return left;
}
