/**
 * Reads a model's stream. A promise per event would be slow and a race per event would leak, so it is one loop.
 * I1. After the promise has settled no event is handed on.
 * I2. It settles as soon as the signal aborts, whatever the stream does (A21).
 */
import { deferred } from '@dsh-internal/async';
import type { ModelEvent } from './model.ts';

export interface StreamReader {
  onEvent(event: ModelEvent): void;
  /** Something arrived after the end. Called at most once. */
  onLate(): void;
}

/** Resolves at `finish`, or at the end of the stream. */
export function readStream(
  stream: AsyncIterable<ModelEvent>,
  signal: AbortSignal,
  reader: StreamReader,
): Promise<void> {
  const { promise, resolve, reject } = deferred();
  const iterator = stream[Symbol.asyncIterator]();
  let over = false;
  const end = (): boolean => {
    if (over) return false;
    over = true;
    signal.removeEventListener('abort', onAbort);
    return true;
  };
  const fail = (error: unknown): void => {
    if (end()) reject(error);
  };
  const onAbort = (): void => {
    fail(signal.reason);
    leave(iterator);
  };
  const take = (result: IteratorResult<ModelEvent, unknown>): void => {
    if (over) {
      if (result.done !== true) reader.onLate();
      return;
    }
    if (result.done !== true) reader.onEvent(result.value);
    if (result.done === true || result.value.type === 'finish') {
      end();
      resolve();
      if (result.done !== true) leave(iterator);
      return;
    }
    // A listener of that event may have aborted.
    if (!signal.aborted) next();
  };
  const next = (): void => {
    try {
      iterator.next().then(take).catch(fail);
    } catch (error) {
      fail(error);
    }
  };
  if (signal.aborted) fail(signal.reason);
  else {
    signal.addEventListener('abort', onAbort, { once: true });
    next();
  }
  return promise;
}

/** Lets a generator clean up. What comes of it concerns nobody any more. */
function leave(iterator: AsyncIterator<ModelEvent>): void {
  iterator.return?.().then(undefined, () => undefined);
}
