/**
 * Mending and removing what is stored.
 * I1. The id is reserved and the place is held meanwhile, so that nobody opens what is being changed.
 * I2. A log without damage is left as it is; one with damage says at its end that it was repaired (S16).
 * I3. The summary that a repair leaves is made of what is stored then, or there is none.
 */
import { untilAborted } from '@dsh-internal/async';
import type { StoredEvent, WriterPlace } from '../driver.ts';
import { sessionError } from '../errors.ts';
import type { SessionHeader } from '../header.ts';
import { parseSessionId, type SessionId } from '../ids.ts';
import { encodeOutline } from '../log/outline.ts';
import { lostEvent, recoveredEvent, takenOverEvent } from '../log/recovery.ts';
import type { WaitOptions } from '../session.ts';
import type { VerifyReport } from '../store.ts';
import type { StoreContext } from './context.ts';
import { readOutline, storedHeader } from './stored-log.ts';
import { giveBack, withPlace } from './place.ts';
import { verify } from './reading.ts';
import { reserve } from './reserve.ts';

/** Gives the report of what was found. A whole log is left as it is. */
export function repair(
  context: StoreContext,
  given: SessionId,
  { signal }: WaitOptions,
): Promise<VerifyReport> {
  const id = parseSessionId(given);
  return reserve(context, { id, code: 'SESSION_LIVE', what: 'repaired', signal }, async () => {
    const header = await storedHeader(context, id, { signal });
    return withPlace(context, id, { intent: 'open', signal }, async (place) => {
      const found = await verify(context, id, { signal });
      if (found.damaged.length > 0) {
        const time = context.clock.now();
        await context.driver.repair(place, { signal, substitute: (seq) => lostEvent(seq, time) });
        const { events } = await verify(context, id, { signal });
        const { takenOver } = place;
        const notes = takenOver === undefined ? [] : [takenOverEvent(events, time, takenOver)];
        const recovered = recoveredEvent(events + notes.length, time, found.damaged.length);
        await write(context, place, events, [...notes, recovered]);
      }
      await giveBack(context, place, await summaryOf(context, id, header, signal));
      return found;
    });
  });
}

/** One batch, whose Session has no resident. */
async function write(
  { driver }: StoreContext,
  place: WriterPlace,
  base: number,
  events: readonly StoredEvent[],
): Promise<void> {
  const [result] = await driver.append([{ place, base, events }]);
  if (result === undefined)
    throw sessionError('NOT_DURABLE', `session ${place.id} not written: the driver gave no answer`);
  if (!result.ok) throw result.error;
}

/** Made anew from what is stored: a repair is also for a summary that does not fit. */
async function summaryOf(
  context: StoreContext,
  id: SessionId,
  { seedLength: ownFrom = 0 }: SessionHeader,
  signal: AbortSignal | undefined,
): Promise<{ readonly summary?: string }> {
  try {
    return { summary: encodeOutline(await readOutline(context, id, { ownFrom, signal })) };
  } catch (cause) {
    signal?.throwIfAborted();
    const message = `the summary of session ${id} was not made anew`;
    context.report({ code: 'summary-failed', level: 'warning', message, sessionId: id, cause });
    return {};
  }
}

export function remove(context: StoreContext, given: SessionId, { signal }: WaitOptions): Promise<void> {
  const id = parseSessionId(given);
  return reserve(context, { id, code: 'SESSION_LIVE', what: 'deleted', signal }, () =>
    untilAborted(context.driver.delete(id, { signal }), signal),
  );
}
