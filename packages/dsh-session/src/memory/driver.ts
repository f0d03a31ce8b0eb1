/**
 * The driver that keeps everything in memory: for tests and short-lived programs.
 * I1. It starts no timers: every answer comes after a fixed number of microtasks.
 * I2. After `crash` nothing of this driver reaches the medium, and nothing that was asked of it is ever answered but its
 *     disposal.
 * I3. What `append` writes, it writes in one synchronous span, after it has looked at the place.
 */
import { systemClock, type Clock } from '../clock.ts';
import type {
  BatchPart,
  PartResult,
  SessionDriver,
  StoredEntry,
  StoredHead,
  StoredRecord,
  WriterPlace,
} from '../driver.ts';
import { SessionError, sessionError } from '../errors.ts';
import type { SessionId } from '../ids.ts';
import type { WaitOptions } from '../session.ts';
import {
  memoryMedium,
  refuseHeld,
  requireHeld,
  storedOf,
  type Holding,
  type MediumState,
  type MediumWithState,
  type MemoryMedium,
} from './medium.ts';
import {
  lengthOf,
  mend,
  newStored,
  recordsOf,
  share,
  startOf,
  takeIn,
  type SharedPrefix,
  type Stored,
} from './stored.ts';

export interface MemoryDriverOptions {
  /** What it writes to. Default: a new one. */
  readonly medium?: MemoryMedium;
  /** Tells since when a place is held. */
  readonly clock?: Clock;
}

/** A driver for tests and for programs that keep nothing. Made by {@link memoryDriver}. */
export interface MemoryDriver extends SessionDriver {
  /** What it writes to: another driver over it is another process. */
  readonly medium: MemoryMedium;
  /** The process dies: see I2 of its file. Its places can be taken over at once. */
  crash(): void;
}

type TakeOptions = Parameters<SessionDriver['take']>[2];
type ReadRange = Parameters<SessionDriver['read']>[1];
type ListOptions = Parameters<SessionDriver['list']>[0];
type RepairOptions = Parameters<SessionDriver['repair']>[1];

const chunkSize = 256;

/** A driver over a memory medium. `flush` over it gives `false`: nothing outlives the process. */
export function memoryDriver({
  medium = memoryMedium(),
  clock = systemClock,
}: MemoryDriverOptions = {}): MemoryDriver {
  return new Driver(medium as MediumWithState, clock);
}

class Driver implements MemoryDriver {
  readonly protocol = { name: 'dsh-session/driver', version: 1 } as const;
  readonly manifest = {
    name: 'memory',
    outlivesProcess: false,
    sharesPrefix: true,
    fences: true,
    keepsSummary: true,
  };
  readonly medium: MediumWithState;
  readonly #state: MediumState;
  readonly #clock: Clock;
  readonly #pid: number;
  readonly #held = new Map<string, Holding>();
  #gone = false;

  constructor(medium: MediumWithState, clock: Clock) {
    this.medium = medium;
    this.#state = medium.state;
    this.#clock = clock;
    this.#state.processes += 1;
    this.#pid = this.#state.processes;
  }

  crash(): void {
    this.#gone = true;
    for (const holding of this.#held.values()) holding.condition = 'dead';
  }

  async take(
    id: SessionId,
    intent: 'create' | 'open',
    { prefix, signal }: TakeOptions,
  ): Promise<WriterPlace> {
    await this.#step(signal);
    if (this.#gone) return never();
    const state = this.#state;
    if (intent === 'create' && state.sessions.has(id))
      throw sessionError('SESSION_EXISTS', `session ${id} not created: it is stored`);
    const stored = intent === 'open' ? storedOf(state, id) : undefined;
    refuseHeld(state, id);
    if (stored !== undefined) return this.#holdStored(id, stored);
    if (prefix === undefined) return this.#hold(id, undefined, 0);
    const { session, length } = prefix;
    return this.#hold(id, share(session, storedOf(state, session), length), length);
  }

  async append(parts: readonly BatchPart[]): Promise<readonly PartResult[]> {
    await this.#step();
    if (this.#gone) return never();
    const results = parts.map((part) =>
      attempt(() => {
        writePart(this.#state, part);
      }),
    );
    await this.#step();
    return results;
  }

  async release(place: WriterPlace, { summary }: { readonly summary?: string } = {}): Promise<void> {
    await this.#step();
    if (this.#gone) return never();
    this.#held.delete(place.token);
    const { sessions, holdings } = this.#state;
    if (holdings.get(place.id)?.token !== place.token) return;
    holdings.delete(place.id);
    const stored = sessions.get(place.id);
    if (stored !== undefined && summary !== undefined) stored.summary = summary;
  }

  async head(id: SessionId, { signal }: WaitOptions): Promise<StoredHead> {
    await this.#step(signal);
    const stored = storedOf(this.#state, id);
    const { header, log } = stored;
    return { header, length: lengthOf(log), start: startOf(log), ...summaryOf(stored) };
  }

  async *read(id: SessionId, { from, to, signal }: ReadRange): AsyncGenerator<readonly StoredRecord[]> {
    await this.#step(signal);
    const { log } = storedOf(this.#state, id);
    // What is appended from now on is not of this reading.
    const end = Math.min(to ?? Infinity, lengthOf(log));
    for (let seq = from; seq < end; seq += chunkSize) {
      yield recordsOf(log, seq, Math.min(end, seq + chunkSize));
      await this.#step(signal);
    }
  }

  async *list({ parent, after, signal }: ListOptions): AsyncGenerator<StoredEntry> {
    await this.#step(signal);
    for (const id of [...this.#state.sessions.keys()].sort()) {
      if (after !== undefined && id <= after) continue;
      const stored = this.#state.sessions.get(id);
      if (stored === undefined || (parent !== undefined && stored.parent !== parent)) continue;
      yield { kind: 'stored', id, header: stored.header, cursor: id };
      await this.#step(signal);
    }
  }

  async delete(id: SessionId, { signal }: WaitOptions): Promise<void> {
    await this.#step(signal);
    if (this.#gone) return never();
    storedOf(this.#state, id);
    refuseHeld(this.#state, id);
    this.#state.sessions.delete(id);
    this.#state.holdings.delete(id);
  }

  async repair(place: WriterPlace, { substitute, signal }: RepairOptions): Promise<void> {
    await this.#step(signal);
    if (this.#gone) return never();
    requireHeld(this.#state, place);
    const stored = storedOf(this.#state, place.id);
    stored.log = mend(stored.log, substitute);
    await this.#step();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.resolve();
    if (this.#gone) return;
    const { holdings } = this.#state;
    for (const [id, holding] of holdings) if (this.#held.has(holding.token)) holdings.delete(id);
    this.#held.clear();
  }

  /**
   * A step of an answer: others run, then it goes on, unless the process is dead (I2). Who changes the medium after
   * it looks again: a microtask lies between this look and the next line of the caller.
   */
  async #step(signal?: AbortSignal): Promise<void> {
    await Promise.resolve();
    if (this.#gone) await never();
    signal?.throwIfAborted();
  }

  #holdStored(id: SessionId, stored: Stored): WriterPlace {
    const place = this.#hold(id, undefined, lengthOf(stored.log));
    const takenOver = place.takenOver ?? stored.takenOver;
    stored.takenOver = takenOver;
    return { ...place, ...summaryOf(stored), ...(takenOver === undefined ? {} : { takenOver }) };
  }

  #hold(id: SessionId, prefix: SharedPrefix | undefined, length: number): WriterPlace {
    const former = this.#state.holdings.get(id);
    if (former?.condition === 'silent')
      former.lost.abort(sessionError('FENCED', `the place of session ${id} was taken over`));
    this.#state.tokens += 1;
    const token = `${this.#pid}.${this.#state.tokens}`;
    const holding: Holding = {
      token,
      holder: { pid: this.#pid, host: 'memory', since: this.#clock.now() },
      lost: new AbortController(),
      condition: 'live',
      ...(prefix === undefined ? {} : { prefix }),
    };
    this.#state.holdings.set(id, holding);
    this.#held.set(token, holding);
    const takenOver = former === undefined ? {} : { takenOver: former.holder };
    return { id, token, lost: holding.lost.signal, length, ...takenOver };
  }
}

function never(): Promise<never> {
  return new Promise(() => undefined);
}

function attempt(work: () => void): PartResult {
  try {
    work();
    return { ok: true };
  } catch (error) {
    if (SessionError.is(error)) return { ok: false, error };
    throw error;
  }
}

function summaryOf({ summary }: Stored): { readonly summary?: string } {
  return summary === undefined ? {} : { summary };
}

function writePart(state: MediumState, part: BatchPart): void {
  const { place, header } = part;
  const { prefix } = requireHeld(state, place);
  if (header !== undefined && !state.sessions.has(place.id))
    state.sessions.set(place.id, newStored(header, prefix));
  takeIn(storedOf(state, place.id), part);
}
