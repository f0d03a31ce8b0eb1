/** Signals that follow others, and waits that end with one. */
import { deferred } from './deferred.ts';

/** A controller that follows other signals until it is released. */
export interface LinkedAbort extends Disposable {
  readonly signal: AbortSignal;
  abort(reason?: unknown): void;
}

/** Aborts when one of `signals` does. Disposing it takes its listeners off them again. */
export function linkAbort(...signals: readonly (AbortSignal | undefined)[]): LinkedAbort {
  const controller = new AbortController();
  const sources = signals.filter((signal) => signal !== undefined);
  const follow = (event: Event): void => {
    controller.abort((event.target as AbortSignal).reason);
  };
  for (const source of sources) {
    if (source.aborted) controller.abort(source.reason);
    else source.addEventListener('abort', follow, { once: true });
  }
  return {
    signal: controller.signal,
    abort: (reason) => {
      controller.abort(reason);
    },
    [Symbol.dispose]: () => {
      for (const source of sources) source.removeEventListener('abort', follow);
    },
  };
}

/** Settles like `work`, or rejects with the signal's reason as soon as that aborts. `work` itself goes on. */
export async function untilAborted<T>(work: PromiseLike<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work;
  if (signal.aborted) {
    // Nobody waits for it any more, so nobody else could take its failure.
    work.then(undefined, () => undefined);
    throw signal.reason;
  }
  const { promise, reject } = deferred<never>();
  const stop = (): void => {
    reject(signal.reason);
  };
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
