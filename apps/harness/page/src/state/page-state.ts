/** [pure] Everything that the page knows, and what each event makes of it. */
import type { FlowReply, InboxReply, LiveEvent, SearchReply, StateReply, TranscriptReply } from '../wire.ts';
import { withConnection, type Connection, type ConnectionEvent } from './connection.ts';
import { withDraft, type DraftEvent, type Drafts } from './drafts.ts';
import { flowOf, type Flow } from './flow.ts';
import { afterLive } from './live.ts';
import { afterReconnect, afterRoute, withTranscript, type Opened } from './opened.ts';
import type { Route } from './route.ts';
import { failed, found, more, noSearch, paused, typed, type Search } from './search.ts';
import { emptyTree, treeOf, type Tree } from './tree.ts';
import type { Folds } from './tree-rows.ts';

export interface PageState {
  readonly connection: Connection;
  readonly server?: StateReply['server'];
  readonly tree: Tree;
  readonly route: Route;
  readonly opened?: Opened | undefined;
  readonly folds: Folds;
  /** What the program writes for itself is shown too. */
  readonly records: boolean;
  readonly search: Search;
  readonly flow?: Flow | undefined;
  readonly flowStale: boolean;
  readonly flowProblem?: { readonly root: string; readonly sentence: string } | undefined;
  readonly drafts: Drafts;
  /** Of the last deed at each agent. */
  readonly receipts: ReadonlyMap<string, Receipt>;
  /** The newest warnings and errors of the server. */
  readonly troubles: readonly Trouble[];
}

export interface Receipt {
  readonly tone: 'busy' | 'good' | 'bad';
  readonly sentence: string;
}

export type Trouble = Extract<LiveEvent, { type: 'diagnostic' }>;

export type PageEvent =
  | { readonly type: 'connection'; readonly event: ConnectionEvent }
  | { readonly type: 'state'; readonly reply: StateReply }
  | { readonly type: 'live'; readonly event: LiveEvent }
  | { readonly type: 'route'; readonly route: Route }
  | { readonly type: 'fold'; readonly key: string; readonly open: boolean }
  | { readonly type: 'records'; readonly shown: boolean }
  | { readonly type: 'draft'; readonly to: string; readonly event: DraftEvent }
  | { readonly type: 'receipt'; readonly id: string; readonly receipt?: Receipt }
  | { readonly type: 'troubles-seen' }
  | { readonly type: 'follow'; readonly on: boolean }
  | { readonly type: 'want'; readonly what: 'older' | 'newer' }
  | { readonly type: 'transcript'; readonly reply: TranscriptReply }
  | { readonly type: 'transcript-failed'; readonly id: string; readonly sentence: string }
  | { readonly type: 'inbox'; readonly reply: InboxReply }
  | { readonly type: 'inbox-failed'; readonly id: string }
  | { readonly type: 'flow'; readonly reply: FlowReply }
  | { readonly type: 'flow-failed'; readonly root: string; readonly sentence: string }
  | { readonly type: 'search'; readonly step: 'paused' | 'more' | { readonly typed: string } }
  | { readonly type: 'found'; readonly path: string; readonly reply: SearchReply }
  | { readonly type: 'search-failed'; readonly path: string; readonly sentence: string };

export function firstState(route: Route): PageState {
  return {
    connection: { kind: 'loading' },
    tree: emptyTree,
    route,
    opened: afterRoute(undefined, route),
    folds: new Map(),
    records: false,
    search: noSearch,
    flowStale: false,
    drafts: new Map(),
    receipts: new Map(),
    troubles: [],
  };
}

export function reduce(state: PageState, event: PageEvent): PageState {
  switch (event.type) {
    case 'connection':
      return { ...state, connection: withConnection(state.connection, event.event) };
    case 'state': {
      const opened = state.opened === undefined ? undefined : afterReconnect(state.opened);
      return {
        ...state,
        server: event.reply.server,
        tree: treeOf(event.reply),
        opened,
        flowStale: true,
        flowProblem: undefined,
      };
    }
    case 'live':
      return afterLive(state, event.event);
    case 'route':
      return { ...state, route: event.route, opened: afterRoute(state.opened, event.route) };
    case 'fold':
      return { ...state, folds: new Map(state.folds).set(event.key, event.open) };
    case 'records':
      return { ...state, records: event.shown };
    case 'draft':
      return { ...state, drafts: withDraft(state.drafts, event.to, event.event) };
    case 'receipt':
      return { ...state, receipts: withReceipt(state.receipts, event.id, event.receipt) };
    case 'troubles-seen':
      return { ...state, troubles: [] };
    case 'flow':
      return { ...state, flow: flowOf(event.reply), flowStale: false, flowProblem: undefined };
    case 'flow-failed':
      return { ...state, flowProblem: { root: event.root, sentence: event.sentence } };
    case 'search':
    case 'found':
    case 'search-failed':
      return { ...state, search: afterSearch(state.search, event) };
    default:
      return state.opened === undefined ? state : { ...state, opened: afterLoad(state.opened, event) };
  }
}

type LoadEvent = Extract<
  PageEvent,
  { type: 'follow' | 'want' | 'transcript' | 'transcript-failed' | 'inbox' | 'inbox-failed' }
>;

function afterLoad(opened: Opened, event: LoadEvent): Opened {
  switch (event.type) {
    case 'follow':
      return opened.follow === event.on ? opened : { ...opened, follow: event.on };
    case 'want':
      return opened.transcript === undefined ? opened : { ...opened, want: opened.want ?? event.what };
    case 'transcript':
      return withTranscript(opened, event.reply);
    case 'transcript-failed':
      return event.id === opened.id ? { ...opened, want: undefined, problem: event.sentence } : opened;
    case 'inbox':
      return event.reply.id === opened.id ? { ...opened, inbox: event.reply, inboxStale: false } : opened;
    case 'inbox-failed':
      return event.id === opened.id ? { ...opened, inboxStale: false } : opened;
  }
}

type SearchEvent = Extract<PageEvent, { type: 'search' | 'found' | 'search-failed' }>;

function afterSearch(search: Search, event: SearchEvent): Search {
  if (event.type === 'found') return found(search, event.path, event.reply);
  if (event.type === 'search-failed') return failed(search, event.path, event.sentence);
  if (typeof event.step === 'object') return typed(search, event.step.typed);
  return event.step === 'paused' ? paused(search) : more(search);
}

function withReceipt(
  old: PageState['receipts'],
  id: string,
  receipt: Receipt | undefined,
): PageState['receipts'] {
  const next = new Map(old);
  if (receipt === undefined) next.delete(id);
  else next.set(id, receipt);
  return next;
}
