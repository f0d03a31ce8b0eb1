/** [pure] A message between agents, in words. */
import type { FlowEdge } from '../wire.ts';
import { clock } from './format.ts';
import { formatRoute } from './route.ts';
import type { Tree } from './tree.ts';
import { oneLine } from './visible-text.ts';
import { kindWords, nameOf } from './words.ts';

/** Where the message is read: at its receiver. */
export const edgeRoute = ({ to, seq }: FlowEdge): string =>
  formatRoute({ agent: to, pane: 'transcript', seq });

export const partyName = (tree: Tree, id: string | undefined): string =>
  id === undefined ? 'Person' : nameOf(tree.nodes.get(id), id);

export function arrowWords(edge: FlowEdge, tree: Tree): string {
  const outcome = edge.outcome === undefined ? '' : ` (${oneLine(edge.outcome, 40)})`;
  const who = `${partyName(tree, edge.from)} to ${partyName(tree, edge.to)}`;
  return `${clock(edge.time, edge.time)}, ${kindWords[edge.kind]}${outcome}, ${who}: ${oneLine(edge.text, 160)}`;
}
