/**
 * The page without its looks: the state, what keeps it in step with the server, and what a person can do.
 * I1. Everything that waits ends with the signal.
 */
import { firstState } from '../state/page-state.ts';
import { formatRoute, newAgent, parseRoute, type Route } from '../state/route.ts';
import { treeRows } from '../state/tree-rows.ts';
import { createDeeds, type Deeds } from './deeds.ts';
import { followServer } from './follow-server.ts';
import { runLane } from './lane.ts';
import { flowLane, inboxLane, searchLane, transcriptLane } from './lanes.ts';
import { createStore, type Store } from './store.ts';

export interface Program extends Store, Deeds {
  readonly go: (route: Route) => void;
}

export function startProgram(signal: AbortSignal): Program {
  const store = createStore(firstState(parseRoute(location.hash)));
  const go = (route: Route): void => {
    location.hash = formatRoute(route);
  };
  window.addEventListener(
    'hashchange',
    () => {
      store.dispatch({ type: 'route', route: parseRoute(location.hash) });
    },
    { signal },
  );
  const ends = [
    store.subscribe(() => {
      openFirst(store);
    }),
    runLane(store, transcriptLane),
    runLane(store, inboxLane),
    runLane(store, flowLane),
    runLane(store, searchLane),
  ];
  signal.addEventListener('abort', () => {
    for (const end of ends) end();
  });
  followServer(store, signal).catch(reportError);
  const deeds = createDeeds(store, signal);
  const send = async (to: string): Promise<string | undefined> => {
    const id = await deeds.send(to);
    const writing = store.get().route.fresh === true;
    if (to === newAgent && id !== undefined && writing) go({ agent: id, pane: 'transcript' });
    return id;
  };
  return { ...store, ...deeds, send, go };
}

/** Whoever comes without a link sees the agent that stands first. It is never changed by itself after that. */
function openFirst(store: Store): void {
  const { route, tree } = store.get();
  if (route.agent !== undefined || route.fresh === true) return;
  const [first] = treeRows(tree, { folds: new Map() });
  if (first?.kind !== 'agent') return;
  const next: Route = { ...route, agent: first.node.id };
  history.replaceState(null, '', formatRoute(next));
  store.dispatch({ type: 'route', route: next });
}
