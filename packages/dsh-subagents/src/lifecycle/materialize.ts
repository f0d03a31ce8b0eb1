/**
 * From a reserved slot to a resident child, or back to nothing.
 * I1. The agent is installed in the span that publishes it; before that nobody can find it.
 * I2. It is held until a message was accepted: no model request runs for a start that is rolled back.
 * I3. A failure is told only after everything was undone (M5).
 * I4. `started` resolves once the slot is resident or closing, and not before.
 */
import type { PortHandle } from '../port.ts';
import { startedEvent, type Slot } from '../activation/slot.ts';
import type { Context } from '../context.ts';
import { subagentError } from '../errors.ts';
import { closeSlots } from './close.ts';
import { reportLost } from './fenced.ts';
import { admitLane, takeAsks, type Ask } from './lane.ts';

export interface StartPlan {
  /** Creates or resumes the agent, held. Calls `install` in the span that publishes it. */
  make(install: (handle: PortHandle) => void): Promise<unknown>;
  /** What this start itself admits, in the final span. What it throws undoes the start. */
  first?(): void;
  /** In the same span, when something was accepted: it must not throw. */
  admitted?(): void;
  /** A failure as the caller and every delivery that waited are told it. */
  explain(error: unknown): unknown;
}

/** Resolves when the child is resident. Rejects after a complete rollback, with what `explain` made of the failure. */
export async function materialize(context: Context, slot: Slot, plan: StartPlan): Promise<void> {
  try {
    const gone = slot.released.promise.finally(() => {
      throw slot.closing?.reason ?? new Error('it was released');
    });
    // Not waited for where making throws at once.
    gone.catch(() => undefined);
    const made = plan.make((handle) => {
      install(context, slot, handle);
    });
    // What is published after the release is refused by `install`, so nobody has to wait for it any longer (M31).
    await Promise.race([made, gone]);
    // Closed while it was made: nobody hears that it began.
    assertOpen(slot);
    announce(context, slot);
    openForAdmission(slot, plan);
  } catch (error) {
    await rollBack(context, slot, slot.closing?.reason ?? plan.explain(error));
  }
  slot.started.resolve();
  run(context, slot);
  context.changed(slot);
}

/** What was accepted stays accepted: an agent that cannot begin ends, and its parent is told (M33). */
function run(context: Context, slot: Slot): void {
  try {
    slot.handle?.start();
  } catch (cause) {
    const message = `The agent of ${slot.childId} could not begin. It is released.`;
    context.report({ code: 'start-failed', level: 'error', message, sessionId: slot.childId, cause });
    closeSlots(context, [slot, ...context.slots.below(slot.childId)], 'stopped');
  }
}

function install(context: Context, slot: Slot, handle: PortHandle): void {
  assertOpen(slot);
  slot.handle = handle;
  const { session } = handle.agent;
  slot.firstSeq = session.length;
  session.lost.addEventListener('abort', () => {
    // First: what waits is discarded with the agent.
    reportLost(context, slot);
    closeSlots(
      context,
      [slot, ...context.slots.below(slot.childId)],
      // What is below still holds its own place, and its log takes how it ended.
      (closed) => (closed === slot ? 'fenced' : 'drain'),
    );
  });
}

function announce(context: Context, slot: Slot): void {
  slot.announced = true;
  context.events.emit('subagent/start', startedEvent(slot));
}

/** One span: whoever is admitted in it was checked in it, and the agent runs only after it. */
function openForAdmission(slot: Slot, plan: StartPlan): void {
  assertOpen(slot);
  slot.phase = 'resident';
  // From here on the caller's signal has no say.
  slot.starting[Symbol.dispose]();
  slot.holds += 1;
  try {
    plan.first?.();
    for (const lane of [...slot.lanes]) admitLane(lane, slot);
  } finally {
    slot.holds -= 1;
  }
  if (!slot.accepted && slot.holds === 0 && isOpen(slot)) {
    throw subagentError(
      'ACTIVATION_CLOSING',
      `Nothing was delivered to ${slot.childId}: no message was accepted.`,
    );
  }
  // What a durable inbox has restored counts as accepted (M33).
  if (slot.handle?.agent.inbox.list().some((entry) => entry.wake) === true) slot.accepted = true;
  plan.admitted?.();
}

function isOpen(slot: Slot): boolean {
  return slot.closing === undefined;
}

function assertOpen(slot: Slot): void {
  if (slot.closing !== undefined) throw slot.closing.reason;
}

async function rollBack(context: Context, slot: Slot, error: unknown): Promise<never> {
  const own = slot.closing === undefined;
  // Deliveries to a child that could not be resumed share its failure; those to a new child look again.
  const orphans: readonly Ask[] = own && slot.resumed ? [...slot.lanes].flatMap(takeAsks) : [];
  if (own) closeSlots(context, [slot, ...context.slots.below(slot.childId)], 'rollback');
  slot.started.resolve();
  try {
    await slot.released.promise;
  } catch (cause) {
    context.report({
      code: 'rollback-failed',
      level: 'error',
      message: `The start of ${slot.childId} failed, and not all of it could be undone.`,
      sessionId: slot.childId,
      cause,
    });
  }
  for (const ask of orphans) ask.result.reject(error);
  throw error;
}
