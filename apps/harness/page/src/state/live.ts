/** [pure] What an event of the server changes. */
import type { LiveEvent } from '../wire.ts';
import { withEdges } from './flow.ts';
import { withNode } from './opened.ts';
import type { PageState } from './page-state.ts';
import { withPieces } from './transcript.ts';
import { withNodes, withoutNodes } from './tree.ts';

/** So many troubles are kept for a person to see. */
const mostTroubles = 20;

/** `hello`, `reset` and `bye` are about the connection: who follows the server has to act on them. */
export function afterLive(state: PageState, event: LiveEvent): PageState {
  const { opened } = state;
  switch (event.type) {
    case 'nodes': {
      const tree = withNodes(state.tree, event.nodes, event.unread);
      const node = opened === undefined ? undefined : tree.nodes.get(opened.id);
      if (opened === undefined || node === undefined) return { ...state, tree };
      return { ...state, tree, opened: withNode(opened, node) };
    }
    case 'gone':
      return { ...state, tree: withoutNodes(state.tree, event.ids) };
    case 'inbox':
      if (opened === undefined || !event.ids.includes(opened.id)) return state;
      return { ...state, opened: { ...opened, inboxStale: true } };
    case 'flow':
      if (state.flow?.root !== event.root) return state;
      return { ...state, flow: withEdges(state.flow, event.edges) };
    case 'stream': {
      if (opened?.transcript === undefined) return state;
      const { transcript, missed } = withPieces(opened.transcript, event.pieces);
      if (missed) return { ...state, opened: { ...opened, want: opened.want ?? 'anew' } };
      return transcript === opened.transcript ? state : { ...state, opened: { ...opened, transcript } };
    }
    case 'diagnostic':
      if (event.level === 'info') return state;
      return { ...state, troubles: [...state.troubles, event].slice(-mostTroubles) };
    case 'hello':
    case 'reset':
    case 'bye':
      return state;
  }
}
