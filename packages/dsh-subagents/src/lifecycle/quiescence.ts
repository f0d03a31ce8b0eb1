/**
 * Waits until a whole tree has nothing to do.
 * I1. Looked at after each burst of events, once; a tree that becomes busy again within the burst is not quiescent.
 * I2. Who waits hears of the agents by itself: the runtime's own ear is gone after its drain, and roots go on.
 */
import type { SessionId } from '@deepseek-ai/dsh-session';
import { deferred, untilAborted, type Deferred } from '@dsh-internal/async';
import { conditionOfSlot } from '../activation/slots.ts';
import type { Context } from '../context.ts';

export interface Quiescence {
  changed(): void;
  wait(rootId: SessionId, signal: AbortSignal | undefined): Promise<void>;
}

export function createQuiescence(context: () => Context): Quiescence {
  const waits = new Map<Deferred<void>, SessionId>();
  let due = false;
  const look = (): void => {
    due = false;
    for (const [wait, rootId] of waits) if (isQuiescent(context(), rootId)) wait.resolve();
  };
  const changed = (): void => {
    if (due || waits.size === 0) return;
    due = true;
    queueMicrotask(look);
  };
  return {
    changed,
    async wait(rootId, signal) {
      const wait = deferred();
      waits.set(wait, rootId);
      const heard = context().agents.on('agent/status', changed);
      changed();
      try {
        await untilAborted(wait.promise, signal);
      } finally {
        heard.dispose();
        waits.delete(wait);
      }
    },
  };
}

/**
 * The root is idle and nothing below it is live but what is parked. A closing child has a notice on its way, and so has
 * a one-shot in the background.
 */
function isQuiescent(context: Context, rootId: SessionId): boolean {
  if (context.agents.get(rootId)?.status === 'running') return false;
  for (const chain of context.announcing) if (chain.includes(rootId)) return false;
  for (const slot of context.slots.all()) {
    if (slot.chain.includes(rootId) && conditionOfSlot(context.slots, slot) !== 'parked') return false;
  }
  return true;
}
