/**
 * The driver that keeps everything in memory: for tests and short-lived programs.
 * 1. It starts no timers: every answer comes after a fixed number of microtasks.
 * 2. After `crash` nothing of this driver reaches the medium, and nothing that was asked of it is ever answered.
 * 3. What `append` writes, it writes in one synchronous span, after it has looked at the place.
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
import { isRecord } from '../header-check.ts';
import type { SeedPrefix } from '../header.ts';
import type { SessionId } from '../ids.ts';
import type { WaitOptions } from '../session.ts';
import {
  lengthOf,
  memoryMedium,
  mend,
  recordsOf,
  storedOf,
  type Holding,
  type MediumState,
  type MediumWithState,
  type MemoryMedium,
  type SharedPrefix,
  type Stored,
  type StoredLog,
} from './medium.ts';

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
  /** The process dies: see invariant 2 of this file's driver. Its places can be taken over at once. */
  crash(): void;
}

type TakeOptions = Parameters<SessionDriver['take']>[2];
type ReadRange = Parameters<SessionDriver['read']>[1];
type ListOptions = Parameters<SessionDriver['list']>[0];
type RepairOptions = Parameters<SessionDriver['repair']>[1];

const headBytes = 64 * 1024;
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
    return this.#hold(id, prefix === undefined ? undefined : share(state, prefix), prefix?.length ?? 0);
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
    const stored = this.#state.sessions.get(place.id);
    const held = this.#state.holdings.get(place.id)?.token === place.token;
    if (held && stored !== undefined && summary !== undefined) stored.summary = summary;
    this.#held.delete(place.token);
    if (this.#state.holdings.get(place.id)?.token === place.token) this.#state.holdings.delete(place.id);
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
    assertHeld(this.#state, place);
    const stored = storedOf(this.#state, place.id);
    stored.log = mend(stored.log, substitute);
    await this.#step();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.resolve();
    const { holdings } = this.#state;
    for (const [id, holding] of holdings) if (this.#held.has(holding.token)) holdings.delete(id);
    this.#held.clear();
  }

  /**
   * A step of an answer: others run, then it goes on, unless the process is dead (2). Who changes the medium after
   * it looks again: a microtask lies between this look and the next line of the caller.
   */
  async #step(signal?: AbortSignal): Promise<void> {
    await Promise.resolve();
    if (this.#gone) await never();
    signal?.throwIfAborted();
  }

  #holdStored(id: SessionId, stored: Stored): WriterPlace {
    const place = this.#hold(id, undefined, lengthOf(stored.log));
    const from = place.takenOver ?? stored.unsaid;
    stored.unsaid = from;
    return { ...place, ...summaryOf(stored), ...(from === undefined ? {} : { takenOver: from }) };
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

function refuseHeld(state: MediumState, id: SessionId): void {
  const holding = state.holdings.get(id);
  if (holding?.condition !== 'live') return;
  const { holder } = holding;
  const who = `process ${holder.pid ?? 0} on ${holder.host ?? 'memory'}`;
  const message = `the writer's place of session ${id} was not taken: held by ${who}`;
  throw sessionError('SESSION_LOCKED', message, { holder });
}

function assertHeld(state: MediumState, place: WriterPlace): Holding {
  const holding = state.holdings.get(place.id);
  if (holding?.token === place.token) return holding;
  const message = `session ${place.id} not written: its place is another's`;
  throw sessionError('FENCED', message, holding === undefined ? {} : { holder: holding.holder });
}

function share(state: MediumState, { session, length }: SeedPrefix): SharedPrefix {
  const { log } = storedOf(state, session);
  if (length > lengthOf(log))
    throw sessionError('INVALID_PREFIX', `session ${session} holds ${lengthOf(log)} events, not ${length}`);
  return { log, length };
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

function writePart(state: MediumState, { place, base, header, events, summary }: BatchPart): void {
  const holding = assertHeld(state, place);
  if (header !== undefined && !state.sessions.has(place.id))
    state.sessions.set(place.id, newStored(header, holding));
  const stored = storedOf(state, place.id);
  const { own, prefix } = stored.log;
  // Of a try that failed half way, nothing stays.
  own.length = Math.min(own.length, base - (prefix?.length ?? 0));
  for (const event of events) own.push(event);
  if (events.length > 0) stored.unsaid = undefined;
  if (summary !== undefined) stored.summary = summary;
}

function newStored(header: string, { prefix }: Holding): { header: string; parent?: string; log: StoredLog } {
  const parsed: unknown = JSON.parse(header);
  const parent: unknown = isRecord(parsed) ? parsed['parentSession'] : undefined;
  const log: StoredLog = prefix === undefined ? { own: [] } : { prefix, own: [] };
  return typeof parent === 'string' ? { header, parent, log } : { header, log };
}

function startOf(log: StoredLog): readonly StoredRecord[] {
  const start: StoredRecord[] = [];
  let bytes = 0;
  for (const record of log.own) {
    bytes += record.kind === 'event' ? record.json.length : record.bytes;
    if (bytes > headBytes) break;
    start.push(record);
  }
  return start;
}
