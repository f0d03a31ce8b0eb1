/** A lane for each agent, time downwards, an arrow for each message. */
import { useLayoutEffect, useRef, type CSSProperties, type JSX, type RefObject } from 'react';
import { clock } from '../state/format.ts';
import { personLane, type Arrow, type Picture } from '../state/flow.ts';
import { arrowWords, edgeRoute } from '../state/flow-words.ts';
import { lanesOf, rowHeight, timeColumn, wordsPlace } from '../state/picture-layout.ts';
import { formatRoute } from '../state/route.ts';
import type { Tree } from '../state/tree.ts';
import { nameOf } from '../state/words.ts';
import { oneLine } from '../state/visible-text.ts';
import { usePart } from './program-context.ts';
import { Name } from './text.tsx';
import { useBox } from './use-box.ts';
import { useKeepEnd } from './use-keep-end.ts';

export function SequencePicture({ picture }: { readonly picture: Picture }): JSX.Element {
  const tree = usePart((state) => state.tree);
  const shown = usePart((state) => state.opened?.id);
  const box = useRef<HTMLDivElement>(null);
  const { lanes, arrows } = picture;
  const { width: lane, upright } = lanesOf(useBox(box).width, lanes.length);
  const width = lanes.length * lane;
  const height = arrows.length * rowHeight + rowHeight / 2;
  const x = (at: number): number => at * lane + lane / 2;
  useKeepEnd(box, arrows.at(-1)?.edge.key ?? '', height);
  useLaneInView(box, shown === undefined ? -1 : lanes.indexOf(shown), lane);
  return (
    <div
      className="picture-box"
      ref={box}
      tabIndex={0}
      role="region"
      aria-label="Picture of the messages"
      style={
        { '--lane': `${lane}px`, '--times': `${timeColumn}px`, '--row': `${rowHeight}px` } as CSSProperties
      }
    >
      <div className={`lane-heads${upright ? ' upright' : ''}`}>
        <span className="lane-corner" />
        {lanes.map((id) => (
          <LaneHead key={id} id={id} tree={tree} shown={id === shown} />
        ))}
      </div>
      <div className="picture-body">
        <div className="times" aria-hidden="true">
          {arrows.map(({ edge }) => (
            <span key={edge.key}>{clock(edge.time, edge.time)}</span>
          ))}
        </div>
        <svg className="sequence-picture" width={width} height={height} viewBox={`0 0 ${width} ${height}`}>
          <title>Messages in the order of their times</title>
          {lanes.map((id, at) => (
            <line
              key={id}
              className={`lane${id === shown ? ' shown' : ''}`}
              x1={x(at)}
              x2={x(at)}
              y1={0}
              y2={height}
            />
          ))}
          {arrows.map((arrow) => (
            <ArrowView key={arrow.edge.key} arrow={arrow} tree={tree} x={x} width={width} />
          ))}
        </svg>
      </div>
    </div>
  );
}

/** Many lanes are wider than the window: that of the agent that is shown comes into view. */
function useLaneInView(box: RefObject<HTMLElement | null>, at: number, lane: number): void {
  useLayoutEffect(() => {
    const { current } = box;
    if (current === null || at < 0) return;
    const left = at * lane;
    const room = current.clientWidth - timeColumn;
    if (left < current.scrollLeft) current.scrollLeft = left;
    else if (left + lane > current.scrollLeft + room) current.scrollLeft = left + lane - room;
  }, [box, at, lane]);
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
  if (id === personLane) return <span className="lane-head cut">Person</span>;
  const name = nameOf(tree.nodes.get(id), id);
  return (
    <a
      className={`lane-head cut${shown ? ' shown' : ''}`}
      href={formatRoute({ agent: id, pane: 'sequence' })}
      title={name}
      aria-current={shown ? 'true' : undefined}
    >
      <Name text={name} most={40} />
    </a>
  );
}

interface ArrowProps {
  readonly arrow: Arrow;
  readonly tree: Tree;
  readonly x: (lane: number) => number;
  readonly width: number;
}

function ArrowView({ arrow, tree, x, width }: ArrowProps): JSX.Element {
  const { edge, from, to } = arrow;
  const y = arrow.row * rowHeight + rowHeight * 0.7;
  const direction = to > from ? 1 : -1;
  const [start, end] = from === to ? [x(from), x(from) + 40] : [x(from), x(to) - direction * 3];
  const [left, right] = [Math.min(start, end), Math.max(start, end)];
  const text = oneLine(edge.kind === 'notice' ? `ended: ${edge.outcome ?? ''}` : edge.text);
  const words = wordsPlace(text.length, { left, right, width });
  return (
    <a className={`arrow arrow-${edge.kind}`} href={edgeRoute(edge)} aria-label={arrowWords(edge, tree)}>
      <title>{arrowWords(edge, tree)}</title>
      <rect className="hit" x={0} y={y - rowHeight * 0.6} width={width} height={rowHeight * 0.9} />
      <line className="shaft" x1={start} x2={end - direction * 6} y1={y} y2={y} />
      <path className="point" d={`M${end} ${y}l${-8 * direction} -4.5v9Z`} />
      <circle className="start" cx={start} cy={y} r={3} />
      <text className="arrow-text" x={words.x} y={y - 9} textAnchor={words.anchor}>
        {oneLine(text, words.most)}
      </text>
    </a>
  );
}
