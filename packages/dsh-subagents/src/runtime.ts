/** The facade over one runtime: every method names the file that does the work. */
import type { Agent } from '@deepseek-ai/dsh-agent';
import type { SessionId } from '@deepseek-ai/dsh-session';
import { conditionOfSlot } from './activation/slots.ts';
import { isExactLive } from './admission/admit.ts';
import type { Context } from './context.ts';
import { drainBelow } from './lifecycle/drain.ts';
import { interruptByAncestor } from './lifecycle/interrupt.ts';
import type { Quiescence } from './lifecycle/quiescence.ts';
import { refusal, sendMessage } from './lifecycle/send.ts';
import { startContinuable } from './lifecycle/start.ts';
import { listChildren, listDescendants } from './listing/children.ts';
import { readTranscript } from './listing/transcript.ts';
import { usageBelow } from './listing/usage.ts';
import type { OneShotRuns } from './one-shot/run.ts';
import { startOneShot } from './one-shot/start.ts';
import type { Providers } from './providers/registry.ts';
import type { LiveActivation, SubagentRuntime } from './subagents.ts';

export interface RuntimeParts {
  readonly context: Context;
  readonly oneShots: OneShotRuns;
  readonly providers: Providers;
  readonly quiescence: Quiescence;
  readonly drain: () => Promise<void>;
}

export function createRuntime({
  context,
  oneShots,
  providers,
  quiescence,
  drain,
}: RuntimeParts): SubagentRuntime {
  const { sessions, slots, events } = context;
  const live = (id: SessionId): LiveActivation | undefined => {
    const slot = slots.get(id);
    return slot === undefined ? undefined : { runId: slot.runId, condition: conditionOfSlot(slots, slot) };
  };
  const liveChildren = (parentId: SessionId): readonly SessionId[] =>
    slots.childrenOf(parentId).flatMap((slot) => (slot.accepted ? slot.childId : []));
  const listing = { sessions, live, liveChildren };
  const reading = {
    sessions,
    isExactLive: (agent: Agent) => isExactLive(context, agent),
    unauthorized: (reader: Agent, signal: AbortSignal | undefined) => refusal(context, reader, signal),
  };
  return {
    protocol: { name: 'dsh-subagents/runtime', version: 1 },
    startContinuable: (start) => startContinuable(context, start),
    sendMessage: (sender, targetId, content, options = {}) =>
      sendMessage(context, sender, targetId, content, options),
    interrupt: (targetId, ancestor, { discard = false, signal } = {}) =>
      interruptByAncestor(context, targetId, ancestor, { discard, signal }),
    drainContinuableDescendants: (parents, { signal } = {}) => drainBelow(context, parents, oneShots, signal),
    drain,
    [Symbol.asyncDispose]: drain,
    start: (provider, request) => startOneShot(context, oneShots, provider, request),
    registerProvider: (provider) => providers.register(provider),
    getProvider: (name) => providers.table.get(name),
    providers: () => [...providers.table.values()],
    listChildren: (parentId, options) => listChildren(listing, parentId, options),
    listDescendants: (rootId, options) => listDescendants(listing, rootId, options),
    readTranscript: (reader, childId, options) => readTranscript(reading, reader, childId, options),
    usage: (rootId) => usageBelow(context, rootId),
    whenQuiescent: (rootId, { signal } = {}) => quiescence.wait(rootId, signal),
    on: (type, listener) => events.on(type, listener),
  };
}
