/**
 * [pure] The events of one Session in memory, in chunks that forks share (S23).
 * I1. A full chunk never changes; a fork copies the references to full chunks, and at most one chunk's worth more.
 * I2. The events below `first` are not in memory; everything from there on is.
 */
import type { SessionEvent, UnknownEvent } from '../event.ts';

export type LogEvent = SessionEvent | UnknownEvent;

const chunkSize = 1024;

export interface EventLog {
  /** The seq of the first event that is in memory. */
  readonly first: number;
  readonly length: number;
  at(seq: number): LogEvent | undefined;
  push(event: LogEvent): void;
  /** The events from `from` up to but not including `to`, as far as they are in memory. */
  slice(from?: number, to?: number): LogEvent[];
  /** A log of its own that starts with the first `length` events of this one. */
  fork(length: number): EventLog;
}

interface Chunks {
  readonly full: readonly (readonly LogEvent[])[];
  readonly rest: readonly LogEvent[];
}

export function createEventLog(first = 0): EventLog {
  return new Chunked(first, { full: [], rest: [] });
}

class Chunked implements EventLog {
  readonly first: number;
  readonly #full: (readonly LogEvent[])[];
  #last: LogEvent[];

  constructor(first: number, { full, rest }: Chunks) {
    this.first = first;
    this.#full = [...full];
    this.#last = [...rest];
  }

  get length(): number {
    return this.first + this.#full.length * chunkSize + this.#last.length;
  }

  at(seq: number): LogEvent | undefined {
    const index = seq - this.first;
    return index < 0 ? undefined : this.#chunk(Math.floor(index / chunkSize))[index % chunkSize];
  }

  push(event: LogEvent): void {
    this.#last.push(event);
    if (this.#last.length < chunkSize) return;
    this.#full.push(this.#last);
    this.#last = [];
  }

  slice(from = 0, to = this.length): LogEvent[] {
    const { first } = this;
    const result: LogEvent[] = [];
    const end = Math.min(to, this.length);
    for (let seq = Math.max(first, from); seq < end;) {
      const start = (seq - first) % chunkSize;
      const part = this.#chunk(Math.floor((seq - first) / chunkSize)).slice(start, start + end - seq);
      for (const event of part) result.push(event);
      seq += part.length;
    }
    return result;
  }

  fork(length: number): EventLog {
    const size = length - this.first;
    if (size <= 0) return createEventLog(length);
    const whole = Math.floor(size / chunkSize);
    return new Chunked(this.first, {
      full: this.#full.slice(0, whole),
      rest: this.#chunk(whole).slice(0, size % chunkSize),
    });
  }

  #chunk(index: number): readonly LogEvent[] {
    return index === this.#full.length ? this.#last : (this.#full[index] ?? []);
  }
}

export function isUserMessage(event: LogEvent): event is SessionEvent<'user/message'> {
  return event.type === 'user/message';
}
