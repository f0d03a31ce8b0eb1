/** Work that is done once, however often it is asked for. */
import { deferred } from './deferred.ts';

/** Runs `work` at most once. Every caller gets the promise of that one run, also while it is under way. */
export function memo<T>(work: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined;
  return () => {
    if (running !== undefined) return running;
    const gate = deferred<T>();
    // Installed before `work` runs, so that a call from inside it finds this run and starts no second one.
    running = gate.promise;
    try {
      gate.resolve(work());
    } catch (error) {
      gate.reject(error);
    }
    return running;
  };
}
