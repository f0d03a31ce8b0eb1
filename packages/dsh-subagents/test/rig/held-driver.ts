/** A driver whose calls stand still where a test wants it, or fail. */
import type { SessionDriver } from '@deepseek-ai/dsh-session';
import { deferred } from '@dsh-internal/async';

export interface HeldDriver {
  readonly wrap: (driver: SessionDriver) => SessionDriver;
  /** From now on calls of `method` wait until the returned function is called. */
  hold(method: Held): () => void;
  /** From now on calls of `method` reject. The returned function ends that. */
  fail(method: Held, error: Error): () => void;
  /** `listener` runs at each call of `method`. */
  watch(method: Held, listener: () => void): void;
}

type Held = 'take' | 'append' | 'release' | 'head';

export function heldDriver(): HeldDriver {
  const gates = new Map<Held, Promise<void>>();
  const failures = new Map<Held, Error>();
  const listeners = new Map<Held, () => void>();
  const enter = async (method: Held): Promise<void> => {
    listeners.get(method)?.();
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
      const gate = deferred();
      gates.set(method, gate.promise);
      return () => {
        gates.delete(method);
        gate.resolve();
      };
    },
    fail(method, error) {
      failures.set(method, error);
      return () => void failures.delete(method);
    },
    watch: (method, listener) => void listeners.set(method, listener),
  };
}
