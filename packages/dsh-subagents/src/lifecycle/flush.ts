import type { Slot } from '../activation/slot.ts';
import type { Context } from '../context.ts';
import { within, type Deadline } from './deadline.ts';
import { startDeadline } from './deadline.ts';

/** Best effort and bounded: a failure is reported and changes nothing (M30). */
export async function flushSession(context: Context, slot: Slot, until?: Deadline): Promise<void> {
  const session = slot.handle?.agent.session;
  if (session === undefined || session.sealed) return;
  const deadline = until ?? startDeadline(context.clock, context.policy.flushMs);
  const giveUp = new AbortController();
  try {
    const ended = await within(context.sessions.flush(session, { signal: giveUp.signal }), deadline);
    if (!ended) throw new Error('the flush did not end in time');
  } catch (cause) {
    context.report({
      code: 'FLUSH_FAILED',
      level: 'warning',
      message: `What ${slot.childId} has not yet written may be missing when it is resumed after a crash.`,
      sessionId: slot.childId,
      cause,
    });
  } finally {
    giveUp.abort();
    if (until === undefined) deadline[Symbol.dispose]();
  }
}
