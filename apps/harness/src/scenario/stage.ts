/**
 * What has happened so far in a scenario, and waiting for what is to happen.
 * Owns: the holds, and which children were started and ended.  Does not own: the tree, which is the runtime's.
 * I1. A wait is looked at again after each change; nothing polls.
 * I2. A released hold stays released.
 */
import type { Registration, SessionId } from '@deepseek-ai/dsh-session';
import { deferred, type Deferred } from '@dsh-internal/async';

export interface StagedChild {
  readonly id: SessionId;
  readonly parentId: SessionId;
  readonly label: string;
  readonly live: boolean;
  /** How many of its Activations have ended. */
  readonly ended: number;
}

export interface Stage {
  /** The child that was started last under this label. */
  child(label: string): StagedChild | undefined;
  childStarted(child: { readonly id: SessionId; readonly parentId: SessionId; readonly label: string }): void;
  childEnded(id: SessionId): void;
  /** What a stream waits for that stands at the hold `name`. */
  hold(name: string): PromiseLike<void>;
  /** Some stream has stood at it. */
  isHeld(name: string): boolean;
  release(name: string): void;
  /** `reached` resolves at once, or after the change by which `test` holds. */
  until(test: () => boolean): Registration & { readonly reached: Promise<void> };
}

export function createStage(): Stage {
  const children = new Map<SessionId, StagedChild>();
  const holds = new Map<string, Deferred<void>>();
  const reached = new Set<string>();
  const waits = new Set<() => void>();
  const changed = (): void => {
    for (const look of [...waits]) look();
  };
  const holdOf = (name: string): Deferred<void> => {
    const known = holds.get(name) ?? deferred();
    holds.set(name, known);
    return known;
  };
  return {
    child: (label) => [...children.values()].findLast((one) => one.label === label),
    childStarted({ id, parentId, label }) {
      const { ended = 0 } = children.get(id) ?? {};
      children.delete(id);
      children.set(id, { id, parentId, label, live: true, ended });
      changed();
    },
    childEnded(id) {
      const known = children.get(id);
      if (known !== undefined) children.set(id, { ...known, live: false, ended: known.ended + 1 });
      changed();
    },
    hold: (name) => ({
      // Being waited for is how a hold learns that a stream has come to it.
      then(onReleased, onFailed) {
        reached.add(name);
        changed();
        return holdOf(name).promise.then(onReleased, onFailed);
      },
    }),
    isHeld: (name) => reached.has(name),
    release: (name) => {
      holdOf(name).resolve();
    },
    until: (test) => waitUntil(test, waits),
  };
}

function waitUntil(test: () => boolean, waits: Set<() => void>): ReturnType<Stage['until']> {
  const { promise, resolve } = deferred();
  const look = (): void => {
    if (!test()) return;
    waits.delete(look);
    resolve();
  };
  waits.add(look);
  look();
  const dispose = (): void => {
    waits.delete(look);
  };
  return { reached: promise, dispose, [Symbol.dispose]: dispose };
}
