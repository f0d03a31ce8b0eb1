import type { Slot } from '../activation/slot.ts';
import type { Context } from '../context.ts';
import { startDeadline, within, type Deadline } from './deadline.ts';

/** Best effort, within a bound of its own and that of its disposal: a failure is reported and changes nothing that follows (M30). */
export async function flushSession(context: Context, slot: Slot, disposal?: Deadline): Promise<void> {
  const session = slot.handle?.agent.session;
  if (session === undefined || session.sealed) return;
  const deadline = startDeadline(context.clock, context.policy.flushMs);
  const giveUp = new AbortController();
  try {
    const ended = within(context.sessions.flush(session, { signal: giveUp.signal }), deadline);
    if (
      !(await (disposal === undefined ? ended : Promise.race([ended, disposal.reached.then(() => false)])))
    ) {
      const late = new Error('the flush did not end in time');
      giveUp.abort(late);
      throw late;
    }
  } catch (cause) {
    context.report({
      code: 'flush-failed',
      level: 'warning',
      message: `What ${slot.childId} has not yet written may be missing when it is resumed after a crash.`,
      sessionId: slot.childId,
      cause,
    });
  } finally {
    deadline[Symbol.dispose]();
  }
}
