/** Mending and removing what is stored. */
import { untilAborted } from '@dsh-internal/async';
import { parseSessionId, type SessionId } from '../ids.ts';
import { lostEvent, recoveredEvent } from '../recovery.ts';
import type { WaitOptions } from '../session.ts';
import type { VerifyReport } from '../store.ts';
import type { StoreContext } from './context.ts';
import { writeAlone } from './ending.ts';
import { storedHeader } from './load.ts';
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
    await storedHeader(context, id, { signal });
    return withPlace(context, id, { intent: 'open', signal }, async (place) => {
      const found = await verify(context, id, { signal });
      if (found.damaged.length > 0) {
        const time = context.clock.now();
        await context.driver.repair(place, { signal, substitute: (seq) => lostEvent(seq, time) });
        const { events } = await verify(context, id, { signal });
        await writeAlone(context, place, events, [recoveredEvent(events, time, found.damaged.length)]);
      }
      await giveBack(context, place);
      return found;
    });
  });
}

export function remove(context: StoreContext, given: SessionId, { signal }: WaitOptions): Promise<void> {
  const id = parseSessionId(given);
  return reserve(context, { id, code: 'SESSION_LIVE', what: 'deleted', signal }, () =>
    untilAborted(context.driver.delete(id, { signal }), signal),
  );
}
