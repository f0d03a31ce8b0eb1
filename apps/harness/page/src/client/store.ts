/**
 * Holds the state of the page.
 * I1. It changes by events alone, one after the other; whoever listens sees each state that it reads whole.
 */
import { reduce, type PageEvent, type PageState } from '../state/page-state.ts';

export interface Store {
  readonly get: () => PageState;
  readonly dispatch: (event: PageEvent) => void;
  /** Returns what ends it. */
  readonly subscribe: (listener: () => void) => () => void;
}

export function createStore(first: PageState): Store {
  let state = first;
  const listeners = new Set<() => void>();
  return {
    get: () => state,
    dispatch(event) {
      const next = reduce(state, event);
      if (next === state) return;
      state = next;
      for (const listener of [...listeners]) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
  };
}
