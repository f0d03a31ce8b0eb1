/**
 * Writes the Sessions of one store behind them, many at a time.
 * Owns: when a batch goes out, retries, the bound of what waits.  Does not own: the events (write-queue.ts).
 * I1. One batch is out at a time. What is appended meanwhile goes with the next one, so a barrier covers many Sessions.
 * I2. A queue that failed is tried again when somebody flushes it, or when its pause is over; the others do not wait
 *     for it.
 * I3. A queue that lost its place, or was removed, is never written again.
 */
import type { Clock, OnDiagnostic, Registration } from '../clock.ts';
import type { BatchPart, PartResult, SessionDriver } from '../driver.ts';
import { sessionError, type SessionError } from '../errors.ts';
import type { WaitingTotal, WriteQueue } from './write-queue.ts';

export interface WriteBehindOptions {
  readonly driver: SessionDriver;
  readonly clock: Clock;
  readonly random: () => number;
  readonly report: OnDiagnostic;
  readonly maxPendingBytes: { readonly session: number; readonly store: number };
}

export interface WriteBehind {
  /** What waits in all queues that were made with it. */
  readonly total: WaitingTotal;
  /** `onFenced` runs when the driver says that the place is another's; the queue is out by then. */
  add(queue: WriteQueue, onFenced: (error: SessionError) => void): void;
  remove(queue: WriteQueue): void;
  /** The queue has something new: a batch goes out in a later microtask. */
  wake(queue: WriteQueue): void;
  /** Resolves when all that the queue holds now is durable. Rejects `NOT_DURABLE` or `FENCED`. */
  flush(queue: WriteQueue): Promise<void>;
  /** How far above the bound the waiting bytes are: 1 is the bound. */
  load(queue: WriteQueue): number;
}

interface Lane {
  readonly queue: WriteQueue;
  readonly onFenced: (error: SessionError) => void;
  failures: number;
  pause?: Registration | undefined;
}

const firstPauseMs = 100;
const longestPauseMs = 30_000;

export function createWriteBehind(options: WriteBehindOptions): WriteBehind {
  return new Writer(options);
}

class Writer implements WriteBehind {
  readonly total: WaitingTotal = { waiting: 0 };
  readonly #options: WriteBehindOptions;
  readonly #lanes = new Map<WriteQueue, Lane>();
  readonly #dirty = new Set<Lane>();
  #running = false;

  constructor(options: WriteBehindOptions) {
    this.#options = options;
  }

  add(queue: WriteQueue, onFenced: (error: SessionError) => void): void {
    this.#lanes.set(queue, { queue, onFenced, failures: 0 });
    this.wake(queue);
  }

  remove(queue: WriteQueue): void {
    const lane = this.#lanes.get(queue);
    if (lane === undefined) return;
    resume(lane);
    this.#lanes.delete(queue);
    this.#dirty.delete(lane);
  }

  wake(queue: WriteQueue): void {
    const lane = this.#lanes.get(queue);
    if (lane === undefined || queue.clean) return;
    this.#dirty.add(lane);
    if (isDue(lane)) this.#start();
  }

  async flush(queue: WriteQueue): Promise<void> {
    const covered = queue.covered();
    this.wake(queue);
    await covered;
  }

  load(queue: WriteQueue): number {
    const { session, store } = this.#options.maxPendingBytes;
    return Math.max(queue.waiting / session, this.total.waiting / store);
  }

  #start(): void {
    if (this.#running) return;
    this.#running = true;
    // The span that appends goes on first, so that all of it is one batch.
    queueMicrotask(() => {
      this.#pump().catch((cause: unknown) => {
        this.#options.report({ code: 'write-behind', level: 'error', message: 'no more is written', cause });
      });
    });
  }

  /** Never rejects: what fails is told to who waits and to `report`. */
  async #pump(): Promise<void> {
    for (let batch = this.#collect(); batch.length > 0; batch = this.#collect()) {
      const results = await this.#write(batch.map(({ part }) => part));
      batch.forEach(({ lane, part }, index) => {
        this.#settle(lane, part, results[index] ?? noAnswer(part));
      });
    }
    this.#running = false;
  }

  #collect(): readonly { readonly lane: Lane; readonly part: BatchPart }[] {
    const batch: { readonly lane: Lane; readonly part: BatchPart }[] = [];
    for (const lane of this.#dirty) {
      if (!isDue(lane)) continue;
      this.#dirty.delete(lane);
      const part = lane.queue.take();
      if (part !== undefined) batch.push({ lane, part });
    }
    return batch;
  }

  async #write(parts: readonly BatchPart[]): Promise<readonly PartResult[]> {
    try {
      return await this.#options.driver.append(parts);
    } catch (cause) {
      return parts.map((part) => ({ ok: false, error: notDurable(part, cause) }));
    }
  }

  #settle(lane: Lane, part: BatchPart, result: PartResult): void {
    if (this.#lanes.get(lane.queue) !== lane) return;
    resume(lane);
    if (result.ok) this.#succeed(lane, part);
    else if (result.error.code === 'FENCED') {
      this.remove(lane.queue);
      lane.onFenced(result.error);
    } else this.#fail(lane, part, result.error);
    if (this.#lanes.has(lane.queue) && !lane.queue.clean) this.#dirty.add(lane);
  }

  #succeed(lane: Lane, part: BatchPart): void {
    const restored = lane.failures > 0;
    lane.failures = 0;
    lane.queue.confirm(part);
    if (!restored) return;
    const sessionId = lane.queue.place.id;
    const message = `session ${sessionId} is durable again`;
    this.#options.report({ code: 'durability-restored', level: 'info', message, sessionId });
  }

  #fail(lane: Lane, part: BatchPart, cause: SessionError): void {
    const error = cause.code === 'NOT_DURABLE' ? cause : notDurable(part, cause);
    const first = lane.failures === 0;
    lane.failures += 1;
    this.#pause(lane);
    lane.queue.fail(part, error);
    if (!first) return;
    const sessionId = lane.queue.place.id;
    const message = `session ${sessionId} is not durable for now`;
    this.#options.report({ code: 'durability-lost', level: 'error', message, sessionId, cause: error });
  }

  #pause(lane: Lane): void {
    const { clock, random } = this.#options;
    const ms = Math.min(longestPauseMs, firstPauseMs * 2 ** (lane.failures - 1)) * (0.5 + random() / 2);
    lane.pause = clock.timer(ms, () => {
      resume(lane);
      this.#start();
    });
  }
}

/** Its pause is over, or somebody waits. */
function isDue(lane: Lane): boolean {
  return lane.pause === undefined || lane.queue.asked;
}

function resume(lane: Lane): void {
  lane.pause?.dispose();
  lane.pause = undefined;
}

function notDurable(part: BatchPart, cause: unknown): SessionError {
  const to = part.base + part.events.length;
  return sessionError(
    'NOT_DURABLE',
    `session ${part.place.id} not durable from event ${part.base} to ${to}`,
    { cause },
  );
}

function noAnswer(part: BatchPart): PartResult {
  return { ok: false, error: notDurable(part, new Error('the driver gave no answer for this part')) };
}
