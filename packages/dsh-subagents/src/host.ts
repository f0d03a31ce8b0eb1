/** A person's controls: made once, and reachable neither from the runtime nor from a tool (M39, M44, M45). */
import type { SessionId } from '@deepseek-ai/dsh-session';
import type { Context } from './context.ts';
import { subagentError, type SubagentError } from './errors.ts';
import { drainBelow, stopChildren } from './lifecycle/drain.ts';
import { interruptByHost } from './lifecycle/interrupt.ts';
import { promptChild } from './lifecycle/prompt.ts';
import { listDescendants } from './listing/children.ts';
import type { OneShotRuns } from './one-shot/run.ts';
import type { HostControls } from './subagents.ts';

export function createHost(context: Context, oneShots: OneShotRuns): HostControls {
  return {
    prompt: (childId, prompt) => promptChild(context, childId, prompt),
    interrupt: (childId, { parentSessionId, discard = false, signal }) =>
      interruptByHost(context, childId, parentSessionId, { discard, signal }),
    stopChildren: (parentId, childIds, { signal } = {}) =>
      stopChildren(context, { parentId, childIds, signal }),
    async disposeRoot(handle) {
      try {
        await drainBelow(context, [handle.agent], oneShots, undefined);
      } finally {
        await handle.dispose();
      }
    },
    deleteTree: (rootId, { signal } = {}) => deleteTree(context, oneShots, rootId, signal),
  };
}

async function deleteTree(
  context: Context,
  oneShots: OneShotRuns,
  rootId: SessionId,
  signal: AbortSignal | undefined,
): Promise<void> {
  if (context.sessions.get(rootId) !== undefined) throw notDeleted(rootId);
  // What is below and live may not be on the medium yet.
  const [child] = context.slots.below(rootId);
  if (child !== undefined) throw notDeleted(child.childId);
  if (oneShots.countBelow(rootId) > 0) throw notDeleted(`a one-shot child below ${rootId}`);
  const ids: SessionId[] = [rootId];
  const stored = { sessions: context.sessions, live: () => undefined, liveChildren: () => [] };
  for await (const { id } of listDescendants(stored, rootId, { signal })) ids.push(id);
  const live = ids.find((id) => context.sessions.get(id) !== undefined);
  if (live !== undefined) throw notDeleted(live);
  // Leaves first, so that what is left after a failure is still a tree below its root.
  for (const id of ids.reverse()) await context.sessions.delete(id, { signal });
}

function notDeleted(live: string): SubagentError {
  return subagentError(
    'ACTIVATION_CLOSING',
    `Nothing was deleted: ${live} is live. Drain the tree and dispose its root first.`,
  );
}
