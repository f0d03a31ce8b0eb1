/**
 * Lets an Activation go when nothing keeps it. Looked at after each event; nothing polls.
 * I1. One settlement at a time per slot; it ends in a close, or because something came up.
 * I2. Admission stays open through the flush. The last look and the close are one synchronous span, so a
 *     message is in this epoch or waits for the next one, and is never in between (M27, M28).
 */
import { startedEvent, type Slot } from '../activation/slot.ts';
import { hasParkedWork, isBusy, isQuiescent } from '../activation/slots.ts';
import type { Context } from '../context.ts';
import { closeSlots } from './close.ts';
import { flushSession } from './flush.ts';

/** A participant that appends during every flush cannot keep the child for ever (M27). */
const mostRounds = 3;

export function evaluate(context: Context, slot: Slot): void {
  if (slot.phase !== 'resident') return;
  tellParked(context, slot);
  if (!isQuiescent(context.slots, slot)) {
    slot.warmth?.dispose();
    slot.warmth = undefined;
    return;
  }
  if (slot.settling || slot.warmth !== undefined) return;
  const { keepWarmMs } = context.policy;
  if (keepWarmMs === 0) context.detach(settle(context, slot));
  else {
    slot.warmth = context.clock.timer(keepWarmMs, () => {
      // It is over: should something come up during the settlement, the next rest begins a new one.
      slot.warmth = undefined;
      context.detach(settle(context, slot));
    });
  }
}

function tellParked(context: Context, slot: Slot): void {
  if (!hasParkedWork(slot)) {
    if (isBusy(slot)) slot.parkedTold = false;
    return;
  }
  if (slot.parkedTold || context.slots.ownsAny(slot.childId)) return;
  slot.parkedTold = true;
  context.events.emit('subagent/parked', startedEvent(slot));
}

async function settle(context: Context, slot: Slot): Promise<void> {
  const session = slot.handle?.agent.session;
  if (session === undefined || slot.settling) return;
  slot.settling = true;
  for (let round = 1; ; round += 1) {
    const { length } = session;
    await flushSession(context, slot);
    if (slot.phase !== 'resident') return;
    if (!isQuiescent(context.slots, slot)) {
      slot.settling = false;
      return;
    }
    if (session.length === length || round === mostRounds) {
      closeSlots(context, [slot], 'settled');
      return;
    }
  }
}
