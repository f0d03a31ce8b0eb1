/** Makes a live Session of a place that was taken. */
import { memo } from '@dsh-internal/async';
import type { StoredEvent, WriterPlace } from '../driver.ts';
import type { EventLog, LogEvent } from '../log/event-log.ts';
import type { SessionHeader } from '../header.ts';
import { createLiveSession, type LiveSession, type SessionSink } from '../live/live-session.ts';
import type { Outline } from '../log/outline.ts';
import type { WriteBehind } from '../writing/write-behind.ts';
import { createWriteQueue, type WriteQueue } from '../writing/write-queue.ts';
import type { StoreContext } from './context.ts';
import { closeResident } from './ending.ts';
import { fence, startWriting, type Resident } from './resident.ts';

export interface ResidentParts {
  readonly place: WriterPlace;
  readonly header: SessionHeader;
  readonly log: EventLog;
  readonly outline: Outline;
  readonly opening: readonly LogEvent[];
  /** Reads what stands before `log`. */
  readonly loadRest: (() => Promise<EventLog>) | undefined;
  /** How much of the stored log no summary covers. */
  readonly unsummed: number;
  /** Nothing of it is on the medium yet. */
  readonly fresh: boolean;
  /** Nothing is written until it is committed (S4). */
  readonly provisional: boolean;
}

/** So much of a log may be read again between turns, and inside of one, before a new summary is kept. */
const unsummedBound = { rest: 16 * 1024, turn: 256 * 1024 };
/** A summary that is longer than that, say since a tool keeps a lot, costs more than it saves. */
const longestSummary = 64 * 1024;

function summaryDue(live: LiveSession, since: number): string | undefined {
  if (since < (live.session.turnOpen ? unsummedBound.turn : unsummedBound.rest)) return undefined;
  const text = live.summary();
  return text.length > longestSummary ? undefined : text;
}

class Sink implements SessionSink {
  readonly #queue: WriteQueue;
  readonly #writer: WriteBehind;

  constructor(queue: WriteQueue, writer: WriteBehind) {
    this.#queue = queue;
    this.#writer = writer;
  }

  get durableLength(): number {
    return this.#queue.durableLength;
  }

  load(): number {
    return this.#writer.load(this.#queue);
  }

  push(events: readonly StoredEvent[]): void {
    this.#queue.push(events);
    this.#writer.wake(this.#queue);
  }
}

/** A Session over a place that was taken. It is not under its id yet. */
export function makeResident(context: StoreContext, parts: ResidentParts): Resident {
  const { writer, known, clock, report } = context;
  const { place, header, log, outline, opening, loadRest, unsummed, fresh, provisional } = parts;
  const { id } = header;
  const queue = createWriteQueue({
    place,
    total: writer.total,
    unsummed,
    summarize: (since) => summaryDue(live, since),
    ...(fresh ? { header: JSON.stringify(header) } : {}),
  });
  const live = createLiveSession({
    header,
    log,
    outline,
    opening,
    loadRest,
    known,
    clock,
    sink: new Sink(queue, writer),
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
    phase: 'provisional',
    unfollow() {
      place.lost.removeEventListener('abort', onLost);
    },
    close: memo(() => closeResident(context, resident)),
  };
  context.residents.bySession.set(live.session, resident);
  place.lost.addEventListener('abort', onLost, { once: true });
  if (!provisional) startWriting(context, resident);
  return resident;
}
