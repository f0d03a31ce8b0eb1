/**
 * Stored Sessions made live again, by the end of their log (S27).
 * I1. What is unfit is refused before anything is written, but for the medium's own cutting of an incomplete record.
 * I2. A turn that a crash left open is closed, and that is durable, before anyone gets the Session (S17).
 */
import { untilAborted } from '@dsh-internal/async';
import type { WriterPlace } from '../driver.ts';
import type { NewEvent } from '../event.ts';
import { parseSessionId, type SessionId } from '../ids.ts';
import { closingEvents } from '../log/recovery.ts';
import type { Session, WaitOptions } from '../session.ts';
import type { StoreContext } from './context.ts';
import { requireKnown, storedHeader } from './stored-log.ts';
import { makeResident } from './make-resident.ts';
import { withPlace } from './place.ts';
import type { Resident } from './resident.ts';
import { reserve, settleIn } from './reserve.ts';
import { loadEnd, loadRest, openingOf } from './end-of-log.ts';

export function open(context: StoreContext, given: SessionId, { signal }: WaitOptions): Promise<Session> {
  const id = parseSessionId(given);
  return reserve(context, { id, code: 'SESSION_LIVE', what: 'opened', signal }, async () => {
    const header = await storedHeader(context, id, { signal });
    return withPlace(context, id, { intent: 'open', signal }, async (place) => {
      const { length, summary: kept } = place;
      const found = await loadEnd(context, { header, length, summary: kept, what: 'opened', signal });
      const { log, outline, size, summary } = found;
      requireKnown(context, id, 'opened', outline);
      const opening = await openingOf(context, id, found, { signal });
      const { ownFrom } = outline;
      const rest = () => loadRest(context, id, { to: log.first, ownFrom, summary });
      const parts = { place, header, log, outline, opening, loadRest: rest, unsummed: size };
      const resident = makeResident(context, { ...parts, fresh: false, provisional: false });
      await recover(context, resident, place, signal);
      return settleIn(context, resident, 'opened');
    });
  });
}

async function recover(
  context: StoreContext,
  resident: Resident,
  place: WriterPlace,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { session, live, queue } = resident;
  const takenOver: NewEvent[] =
    place.takenOver === undefined ? [] : [{ type: 'session/taken-over', data: { from: place.takenOver } }];
  const closing = session.turnOpen ? closingEvents(session.turns - 1, live.pendingCalls) : [];
  if (takenOver.length + closing.length === 0) return;
  session.appendAll([...takenOver, ...closing]);
  try {
    await untilAborted(context.writer.flush(queue), signal);
  } catch (error) {
    context.writer.remove(queue);
    resident.unfollow();
    throw error;
  }
}
