/** [pure] Who wrote to whom: the edges of one root's tree, and the picture that they make. */
import type { FlowEdge, FlowReply } from '../wire.ts';

export interface Flow {
  readonly root: string;
  /** In the order of their times. */
  readonly edges: readonly FlowEdge[];
  readonly truncated: boolean;
}

/** So many edges are kept. */
const mostEdges = 5_000;

export const flowOf = ({ root, edges, truncated }: FlowReply): Flow =>
  withEdges({ root, edges: [], truncated }, edges);

/** Takes in new edges; one that is known already is the same one. */
export function withEdges(flow: Flow, more: readonly FlowEdge[]): Flow {
  if (more.length === 0) return flow;
  const byKey = new Map(flow.edges.map((edge) => [edge.key, edge]));
  for (const edge of more) byKey.set(edge.key, edge);
  const edges = [...byKey.values()].sort((a, b) => a.time - b.time || (a.key < b.key ? -1 : 1));
  const tooMany = edges.length > mostEdges;
  return { ...flow, edges: edges.slice(-mostEdges), truncated: flow.truncated || tooMany };
}

/** The lane of everybody who is no agent. */
export const personLane = '';

export interface Arrow {
  readonly edge: FlowEdge;
  readonly row: number;
  /** Numbers of lanes. */
  readonly from: number;
  readonly to: number;
}

export interface Picture {
  /** Ids in the order of their first word; {@link personLane} comes first. */
  readonly lanes: readonly string[];
  readonly arrows: readonly Arrow[];
  /** Edges that are not in the picture, because they are older. */
  readonly earlier: number;
}

/** The newest `most` edges; with `about`, only those from and to that agent. */
export function pictureOf(
  flow: Flow,
  { most, about }: { most: number; about?: string | undefined },
): Picture {
  const wanted =
    about === undefined ? flow.edges : flow.edges.filter(({ from, to }) => from === about || to === about);
  const edges = wanted.slice(-most);
  const lanes = new Map<string, number>();
  const laneOf = (id: string): number => {
    const known = lanes.get(id);
    if (known !== undefined) return known;
    lanes.set(id, lanes.size);
    return lanes.size - 1;
  };
  if (edges.some(({ from }) => from === undefined)) laneOf(personLane);
  if (edges.some(({ from, to }) => from === flow.root || to === flow.root)) laneOf(flow.root);
  const arrows = edges.map((edge, row) => ({
    edge,
    row,
    from: laneOf(edge.from ?? personLane),
    to: laneOf(edge.to),
  }));
  return { lanes: [...lanes.keys()], arrows, earlier: wanted.length - edges.length };
}
