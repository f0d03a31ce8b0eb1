/** A lane for each agent, time downwards, an arrow for each message. */
import { useRef, type CSSProperties, type JSX } from 'react';
import { clock } from '../state/format.ts';
import { personLane, type Arrow, type Picture } from '../state/flow.ts';
import { arrowWords, edgeRoute } from '../state/flow-words.ts';
import { formatRoute } from '../state/route.ts';
import type { Tree } from '../state/tree.ts';
import { nameOf } from '../state/words.ts';
import { oneLine } from '../state/visible-text.ts';
import { usePart } from './program-context.ts';
import { Name } from './text.tsx';
import { useBox } from './use-box.ts';

const row = 44;
const margin = 76;

/** The lanes share the width, but keep room for a name, and stay near enough to be compared. */
const laneWidth = (width: number, lanes: number): number =>
  Math.min(190, Math.max(96, Math.floor((width - margin) / Math.max(1, lanes))));

export function SequencePicture({ picture }: { readonly picture: Picture }): JSX.Element {
  const tree = usePart((state) => state.tree);
  const shown = usePart((state) => state.opened?.id);
  const box = useRef<HTMLDivElement>(null);
  const lane = laneWidth(useBox(box).width, picture.lanes.length);
  const width = margin + picture.lanes.length * lane;
  const height = picture.arrows.length * row + row / 2;
  const x = (at: number): number => margin + at * lane + lane / 2;
  return (
    <div
      className="picture-box"
      ref={box}
      tabIndex={0}
      role="region"
      aria-label="Picture of the messages"
      style={{ '--lane': `${lane}px` } as CSSProperties}
    >
      <div className="lane-heads">
        {picture.lanes.map((id) => (
          <LaneHead key={id} id={id} tree={tree} shown={id === shown} />
        ))}
      </div>
      <svg className="sequence-picture" width={width} height={height} viewBox={`0 0 ${width} ${height}`}>
        <title>Messages in the order of their times</title>
        {picture.lanes.map((id, at) => (
          <line
            key={id}
            className={`lane${id === shown ? ' shown' : ''}`}
            x1={x(at)}
            x2={x(at)}
            y1={0}
            y2={height}
          />
        ))}
        {picture.arrows.map((arrow) => (
          <ArrowView key={arrow.edge.key} arrow={arrow} tree={tree} x={x} />
        ))}
      </svg>
    </div>
  );
}

function LaneHead({
  id,
  tree,
  shown,
}: {
  readonly id: string;
  readonly tree: Tree;
  readonly shown: boolean;
}): JSX.Element {
  if (id === personLane) return <span className="lane-head">Person</span>;
  return (
    <a
      className={`lane-head${shown ? ' shown' : ''}`}
      href={formatRoute({ agent: id, pane: 'sequence' })}
      title={oneLine(id)}
    >
      <Name text={nameOf(tree.nodes.get(id), id)} most={40} />
    </a>
  );
}

interface ArrowProps {
  readonly arrow: Arrow;
  readonly tree: Tree;
  readonly x: (lane: number) => number;
}

function ArrowView({ arrow, tree, x }: ArrowProps): JSX.Element {
  const { edge, from, to } = arrow;
  const y = arrow.row * row + row * 0.7;
  const direction = to > from ? 1 : -1;
  const [start, end] = from === to ? [x(from), x(from) + 40] : [x(from), x(to) - direction * 3];
  const middle = (Math.min(start, end) + Math.max(start, end)) / 2;
  const most = Math.max(10, Math.floor(Math.abs(end - start) / 6.6) - 2);
  return (
    <a className={`arrow arrow-${edge.kind}`} href={edgeRoute(edge)} aria-label={arrowWords(edge, tree)}>
      <title>{arrowWords(edge, tree)}</title>
      <rect className="hit" x={0} y={y - row * 0.6} width={Math.max(start, end) + 8} height={row * 0.9} />
      <text className="arrow-time" x={4} y={y + 4}>
        {clock(edge.time, edge.time)}
      </text>
      <line className="shaft" x1={start} x2={end - direction * 6} y1={y} y2={y} />
      <path className="point" d={`M${end} ${y}l${-8 * direction} -4.5v9Z`} />
      <circle className="start" cx={start} cy={y} r={3} />
      <text className="arrow-text" x={middle} y={y - 7}>
        {oneLine(edge.kind === 'notice' ? `ended: ${edge.outcome ?? ''}` : edge.text, most)}
      </text>
    </a>
  );
}
