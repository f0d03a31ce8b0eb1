/**
 * Loads what the state wants, one request at a time.
 * I1. What is wanted is read from the state alone. A request that is no longer wanted is ended, and its answer dropped.
 */
import type { PageEvent, PageState } from '../state/page-state.ts';
import { get, type Reply } from './api.ts';
import type { Store } from './store.ts';

export interface Lane<T> {
  /** The path to ask for; `undefined`: nothing. */
  readonly wants: (state: PageState) => string | undefined;
  readonly got: (value: T, path: string) => PageEvent;
  /** What ends the wish for this path. An unreachable server ends it by itself: the connection is lost. */
  readonly failed: (sentence: string, path: string, state: PageState) => PageEvent | undefined;
}

/** Returns what ends it. */
export function runLane<T>(store: Store, lane: Lane<T>): () => void {
  let current: { readonly path: string; readonly controller: AbortController } | undefined;
  const look = (): void => {
    const state = store.get();
    const path = state.connection.kind === 'live' ? lane.wants(state) : undefined;
    if (path === current?.path) return;
    current?.controller.abort();
    current = undefined;
    if (path === undefined) return;
    const controller = new AbortController();
    const mine = { path, controller };
    current = mine;
    get<T>(path, controller.signal)
      .then((reply) => {
        const event = current === mine ? eventOf(reply, path) : undefined;
        if (event === undefined) return;
        current = undefined;
        store.dispatch(event);
        look();
      })
      .catch(reportError);
  };
  const eventOf = (reply: Reply<T>, path: string): PageEvent | undefined => {
    if (reply.kind === 'ok') return lane.got(reply.value, path);
    if (reply.kind === 'dropped') return undefined;
    return lane.failed(reply.sentence, path, store.get());
  };
  look();
  return store.subscribe(look);
}
