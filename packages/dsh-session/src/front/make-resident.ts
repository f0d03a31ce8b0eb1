/** Makes a live Session of a place that was taken. */
import { memo } from '@dsh-internal/async';
import type { WriterPlace } from '../driver.ts';
import type { EventLog } from '../event-log.ts';
import type { SessionHeader } from '../header.ts';
import { createLiveSession } from '../live-session.ts';
import type { TurnShape } from '../turn-shape.ts';
import { createWriteQueue } from '../write-queue.ts';
import type { StoreContext } from './context.ts';
import { closeResident } from './ending.ts';
import { fence, startWriting, type Resident } from './resident.ts';

export interface ResidentParts {
  readonly place: WriterPlace;
  readonly header: SessionHeader;
  readonly log: EventLog;
  readonly shape: TurnShape;
  /** Nothing of it is on the medium yet. */
  readonly fresh: boolean;
  readonly held: boolean;
}

/** A Session over a place that was taken. It is not under its id yet. */
export function makeResident(context: StoreContext, parts: ResidentParts): Resident {
  const { writer, known, clock, report } = context;
  const { place, header, log, shape, fresh, held } = parts;
  const { id } = header;
  const queue = createWriteQueue({
    place,
    total: writer.total,
    ...(fresh ? { header: JSON.stringify(header) } : {}),
  });
  const live = createLiveSession({
    header,
    log,
    shape,
    known,
    clock,
    sink: {
      get durableLength() {
        return queue.durableLength;
      },
      load: () => writer.load(queue),
      push(events) {
        queue.push(events);
        writer.wake(queue);
      },
    },
    report(cause) {
      report({
        code: 'subscriber-failed',
        level: 'error',
        message: `a subscriber of session ${id} threw`,
        sessionId: id,
        cause,
      });
    },
  });
  const onLost = (): void => {
    fence(context, resident, place.lost.reason);
  };
  const resident: Resident = {
    live,
    session: live.session,
    queue,
    phase: 'held',
    unfollow() {
      place.lost.removeEventListener('abort', onLost);
    },
    close: memo(() => closeResident(context, resident)),
  };
  context.residents.bySession.set(live.session, resident);
  place.lost.addEventListener('abort', onLost, { once: true });
  if (!held) startWriting(context, resident);
  return resident;
}
