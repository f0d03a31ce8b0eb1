/**
 * [pure] The events of one Session in memory, in chunks that forks share (S23).
 * 1. A full chunk never changes; a fork copies the references to full chunks, and at most one chunk's worth more.
 */
import type { SessionEvent, UnknownEvent } from './event.ts';

export type LogEvent = SessionEvent | UnknownEvent;

const chunkSize = 1024;

export interface EventLog {
  readonly length: number;
  at(seq: number): LogEvent | undefined;
  push(event: LogEvent): void;
  /** The events from `from` up to but not including `to`. */
  slice(from?: number, to?: number): LogEvent[];
  /** A log of its own that starts with the first `length` events of this one. */
  fork(length: number): EventLog;
}

export function createEventLog(
  full: readonly (readonly LogEvent[])[] = [],
  rest: readonly LogEvent[] = [],
): EventLog {
  const chunks: (readonly LogEvent[])[] = [...full];
  let last: LogEvent[] = [...rest];
  const length = (): number => chunks.length * chunkSize + last.length;
  const chunk = (index: number): readonly LogEvent[] =>
    index === chunks.length ? last : (chunks[index] ?? []);

  return {
    get length() {
      return length();
    },
    at: (seq) => chunk(Math.floor(seq / chunkSize))[seq % chunkSize],
    push(event) {
      last.push(event);
      if (last.length < chunkSize) return;
      chunks.push(last);
      last = [];
    },
    slice(from = 0, to = length()) {
      const result: LogEvent[] = [];
      const end = Math.min(to, length());
      for (let seq = Math.max(0, from); seq < end;) {
        const start = seq % chunkSize;
        const part = chunk(Math.floor(seq / chunkSize)).slice(start, start + end - seq);
        result.push(...part);
        seq += part.length;
      }
      return result;
    },
    fork(size) {
      const whole = Math.floor(size / chunkSize);
      return createEventLog(chunks.slice(0, whole), chunk(whole).slice(0, size % chunkSize));
    },
  };
}
