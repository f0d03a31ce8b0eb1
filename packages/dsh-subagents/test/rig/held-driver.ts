/** A driver whose calls stand still where a test wants it, or fail. */
import type { SessionDriver } from '@deepseek-ai/dsh-session';

export interface HeldDriver {
  readonly wrap: (driver: SessionDriver) => SessionDriver;
  /** From now on calls of `method` wait until the returned function is called. */
  hold(method: Held): () => void;
  /** From now on calls of `method` reject. The returned function ends that. */
  fail(method: Held, error: Error): () => void;
  /** How many calls of `method` were made. */
  calls(method: Held): number;
}

type Held = 'take' | 'append' | 'release' | 'head';

export function heldDriver(): HeldDriver {
  const gates = new Map<Held, Promise<void>>();
  const failures = new Map<Held, Error>();
  const counts = new Map<Held, number>();
  const enter = async (method: Held): Promise<void> => {
    counts.set(method, (counts.get(method) ?? 0) + 1);
    await gates.get(method);
    const failure = failures.get(method);
    if (failure !== undefined) throw failure;
  };
  return {
    wrap: (driver) =>
      new Proxy(driver, {
        get(target, key) {
          const member: unknown = Reflect.get(target, key, target);
          if (typeof member !== 'function') return member;
          const call = (...args: unknown[]): unknown => Reflect.apply(member, target, args) as unknown;
          if (key !== 'take' && key !== 'append' && key !== 'release' && key !== 'head') return call;
          return async (...args: unknown[]) => {
            await enter(key);
            return call(...args);
          };
        },
      }),
    hold(method) {
      const { promise, resolve } = Promise.withResolvers<void>();
      gates.set(method, promise);
      return () => {
        gates.delete(method);
        resolve();
      };
    },
    fail(method, error) {
      failures.set(method, error);
      return () => void failures.delete(method);
    },
    calls: (method) => counts.get(method) ?? 0,
  };
}
