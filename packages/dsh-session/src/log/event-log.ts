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

export function createEventLog(first = 0, { full, rest }: Chunks = { full: [], rest: [] }): EventLog {
  const chunks: (readonly LogEvent[])[] = [...full];
  let last: LogEvent[] = [...rest];
  const length = (): number => first + chunks.length * chunkSize + last.length;
  const chunk = (index: number): readonly LogEvent[] =>
    index === chunks.length ? last : (chunks[index] ?? []);

  return {
    first,
    get length() {
      return length();
    },
    at: (seq) =>
      seq < first ? undefined : chunk(Math.floor((seq - first) / chunkSize))[(seq - first) % chunkSize],
    push(event) {
      last.push(event);
      if (last.length < chunkSize) return;
      chunks.push(last);
      last = [];
    },
    slice(from = 0, to = length()) {
      const result: LogEvent[] = [];
      const end = Math.min(to, length());
      for (let seq = Math.max(first, from); seq < end;) {
        const start = (seq - first) % chunkSize;
        const part = chunk(Math.floor((seq - first) / chunkSize)).slice(start, start + end - seq);
        for (const event of part) result.push(event);
        seq += part.length;
      }
      return result;
    },
    fork(size) {
      if (size <= first) return createEventLog(size);
      const whole = Math.floor((size - first) / chunkSize);
      return createEventLog(first, {
        full: chunks.slice(0, whole),
        rest: chunk(whole).slice(0, (size - first) % chunkSize),
      });
    },
  };
}

export function isUserMessage(event: LogEvent): event is SessionEvent<'user/message'> {
  return event.type === 'user/message';
}
