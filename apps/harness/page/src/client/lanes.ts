/** [pure] What the page loads when: the transcript and the inbox of what is open, the flow of its root, a search. */
import { searchPath } from '../state/search.ts';
import { transcriptQuery } from '../state/opened.ts';
import type { PageState } from '../state/page-state.ts';
import type { FlowReply, InboxReply, SearchReply, TranscriptReply } from '../wire.ts';
import { sessionPath } from './session-path.ts';
import type { Lane } from './lane.ts';

export const transcriptLane: Lane<TranscriptReply> = {
  wants: ({ opened }) => {
    if (opened === undefined) return undefined;
    const query = transcriptQuery(opened);
    if (query === undefined) return undefined;
    const from = query.from === undefined ? '' : `from=${query.from}&`;
    return sessionPath(opened.id, `transcript?${from}limit=${query.limit}`);
  },
  got: (reply) => ({ type: 'transcript', reply }),
  failed: (sentence, _path, state) => ({ type: 'transcript-failed', id: state.opened?.id ?? '', sentence }),
};

export const inboxLane: Lane<InboxReply> = {
  wants: ({ opened }) => (opened?.inboxStale === true ? sessionPath(opened.id, 'inbox') : undefined),
  got: (reply) => ({ type: 'inbox', reply }),
  failed: (_sentence, _path, state) => ({ type: 'inbox-failed', id: state.opened?.id ?? '' }),
};

/** So many edges are asked for. */
const edgesAtOnce = 1_000;

export const flowLane: Lane<FlowReply> = {
  wants: (state) => {
    const root = shownRoot(state);
    if (root === undefined || state.route.pane !== 'sequence') return undefined;
    if (state.flowProblem?.root === root) return undefined;
    if (state.flow?.root === root && !state.flowStale) return undefined;
    return `/api/flow?root=${encodeURIComponent(root)}&limit=${edgesAtOnce}`;
  },
  got: (reply) => ({ type: 'flow', reply }),
  failed: (sentence, _path, state) => ({ type: 'flow-failed', root: shownRoot(state) ?? '', sentence }),
};

export const searchLane: Lane<SearchReply> = {
  wants: ({ search }) => searchPath(search),
  got: (reply, path) => ({ type: 'found', path, reply }),
  failed: (sentence, path) => ({ type: 'search-failed', path, sentence }),
};

/** The root of the tree that the open agent is in. */
export function shownRoot({ opened, tree }: PageState): string | undefined {
  return opened === undefined ? undefined : tree.nodes.get(opened.id)?.root;
}
