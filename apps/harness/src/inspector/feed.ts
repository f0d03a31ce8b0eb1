/**
 * Turns what has changed into the tree and into events for readers, gathered for a moment.
 * Owns: the present tree, what is not told yet, and the events that were told.
 * I1. Whatever a reader of `tree` sees was told before, or is told later: `flush` brings both to the same moment.
 * I2. A burst costs one tree and a few events, whatever its size; the tree is not made more often than it costs.
 */
import { systemClock, type Clock, type Registration, type SessionId } from '@deepseek-ai/dsh-session';
import type { KnownSessions } from './known-sessions.ts';
import type { PartialAnswers } from './partial-answers.ts';
import type { FlowEdge, LiveEvent, TreeNode } from './protocol.ts';
import type { Replay } from './replay.ts';
import { treeOf, type Place, type Tree } from './view/tree.ts';
import type { Prices } from './view/spent.ts';

/** Milliseconds for which changes are gathered. */
const gatherMs = 100;
/** Nodes, or edges, in one event. */
const mostInEvent = 400;

export interface FeedDeps {
  readonly known: KnownSessions;
  readonly partials: PartialAnswers;
  readonly replay: Replay;
  readonly liveOf: (id: SessionId) => Place['live'];
  /** Brings what is known of live Sessions up to date, before a tree is made. */
  readonly catchUp: () => void;
  readonly prices: Prices | undefined;
  readonly canWake: boolean;
  readonly clock?: Clock | undefined;
}

export interface Feed extends Disposable {
  readonly tree: Tree;
  /** Something is to be told soon. */
  changed(): void;
  inboxChanged(id: string): void;
  edges(edges: readonly FlowEdge[]): void;
  gone(ids: readonly string[]): void;
  /** Told with the rest, as it is. */
  tell(event: LiveEvent): void;
  /** Tells everything now (I1). */
  flush(): void;
  /** Called after something was told. */
  onTold(listener: () => void): Registration;
}

export function createFeed(deps: FeedDeps): Feed {
  const { replay, clock = systemClock } = deps;
  const listeners = new Set<() => void>();
  const news = createNews();
  const told: Told = { nodes: new Map(), unread: 0 };
  let tree: Tree = { order: [], nodes: new Map() };
  let timer: Registration | undefined;
  let wait = gatherMs;
  const stop = (): void => {
    timer?.dispose();
    timer = undefined;
  };
  const flush = (): void => {
    stop();
    const began = clock.now();
    const before = replay.last;
    deps.catchUp();
    tree = treeOf(placesOf(deps), { ...deps, now: began, before: tree.nodes });
    for (const event of eventsOf(tree, told, news, deps))
      replay.add(JSON.stringify(event), event.type === 'stream');
    wait = Math.max(gatherMs, 4 * (clock.now() - began));
    if (replay.last > before) for (const listener of [...listeners]) listener();
  };
  const changed = (): void => {
    timer ??= clock.timer(wait, flush);
  };
  return {
    get tree() {
      return tree;
    },
    changed,
    inboxChanged(id) {
      news.inboxes.add(id);
      changed();
    },
    edges(edges) {
      news.edges.push(...edges);
      changed();
    },
    gone(ids) {
      for (const id of ids) told.nodes.delete(id);
      news.gone.push(...ids);
      changed();
    },
    tell(event) {
      news.others.push(event);
      changed();
    },
    flush,
    onTold(listener) {
      listeners.add(listener);
      const dispose = (): void => {
        listeners.delete(listener);
      };
      return { dispose, [Symbol.dispose]: dispose };
    },
    [Symbol.dispose]: stop,
  };
}

/** What readers know. */
interface Told {
  /** The JSON of each node. */
  readonly nodes: Map<string, string>;
  unread: number;
}

function eventsOf(tree: Tree, told: Told, news: News, { known, partials }: FeedDeps): readonly LiveEvent[] {
  const fresh = changedNodes(tree, told.nodes);
  const { unread } = known;
  const parts = chunks(fresh);
  if (parts.length === 0 && unread !== told.unread) parts.push([]);
  told.unread = unread;
  const pieces = partials.takePieces();
  return [
    ...parts.map((nodes): LiveEvent => ({ type: 'nodes', nodes, unread })),
    ...news.take(tree),
    ...(pieces.length === 0 ? [] : [{ type: 'stream', pieces } as const]),
  ];
}

interface News {
  readonly inboxes: Set<string>;
  readonly edges: FlowEdge[];
  readonly gone: string[];
  readonly others: LiveEvent[];
  take(tree: Tree): readonly LiveEvent[];
}

function createNews(): News {
  const inboxes = new Set<string>();
  const edges: FlowEdge[] = [];
  const gone: string[] = [];
  const others: LiveEvent[] = [];
  return {
    inboxes,
    edges,
    gone,
    others,
    take({ nodes }) {
      const events: LiveEvent[] = [];
      if (gone.length > 0) events.push({ type: 'gone', ids: gone.splice(0) });
      if (inboxes.size > 0) events.push({ type: 'inbox', ids: [...inboxes] });
      inboxes.clear();
      const byRoot = new Map<string, FlowEdge[]>();
      for (const edge of edges.splice(0)) {
        const root = nodes.get(edge.to)?.root ?? edge.to;
        const some = byRoot.get(root);
        if (some === undefined) byRoot.set(root, [edge]);
        else some.push(edge);
      }
      for (const [root, some] of byRoot)
        for (const part of chunks(some)) events.push({ type: 'flow', root, edges: part });
      events.push(...others.splice(0));
      return events;
    },
  };
}

function placesOf({ known, liveOf }: FeedDeps): ReadonlyMap<string, Place> {
  const places = new Map<string, Place>();
  for (const { id, parent, child, createdAt, length, read, facts, problem } of known.all()) {
    const live = liveOf(id);
    const broken = problem === undefined ? {} : { problem };
    places.set(id, { id, parent, child, createdAt, length, read, facts, live, ...broken });
  }
  return places;
}

/** Those whose JSON is another one than the one that was told. */
function changedNodes({ order, nodes }: Tree, told: Map<string, string>): readonly TreeNode[] {
  return order.flatMap((id) => {
    const node = nodes.get(id);
    const json = JSON.stringify(node);
    if (node === undefined || told.get(id) === json) return [];
    told.set(id, json);
    return node;
  });
}

function chunks<T>(items: readonly T[]): (readonly T[])[] {
  const parts: (readonly T[])[] = [];
  for (let at = 0; at < items.length; at += mostInEvent) parts.push(items.slice(at, at + mostInEvent));
  return parts;
}
