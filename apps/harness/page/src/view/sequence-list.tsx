/** The same messages as a table. */
import { useRef, type JSX } from 'react';
import { clock, isoTime } from '../state/format.ts';
import type { Picture } from '../state/flow.ts';
import { edgeRoute, partyName } from '../state/flow-words.ts';
import { kindWords } from '../state/words.ts';
import { oneLine } from '../state/visible-text.ts';
import type { FlowEdge } from '../wire.ts';
import { usePart } from './program-context.ts';
import { Name } from './text.tsx';
import { useKeepEnd } from './use-keep-end.ts';

export function SequenceList({ picture }: { readonly picture: Picture }): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  const { arrows } = picture;
  useKeepEnd(box, arrows.at(-1)?.edge.key ?? '', arrows.length);
  return (
    <div className="list-box" ref={box} tabIndex={0} role="region" aria-label="List of the messages">
      <table className="sequence-list">
        <thead>
          <tr>
            <th scope="col">Time</th>
            <th scope="col">From</th>
            <th scope="col">To</th>
            <th scope="col">Kind</th>
            <th scope="col">Message</th>
          </tr>
        </thead>
        <tbody>
          {arrows.map(({ edge }) => (
            <Row key={edge.key} edge={edge} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Row({ edge }: { readonly edge: FlowEdge }): JSX.Element {
  const tree = usePart((state) => state.tree);
  return (
    <tr>
      <td className="time">
        <time dateTime={isoTime(edge.time)}>{clock(edge.time, Date.now())}</time>
      </td>
      <td className="from">
        <Name text={partyName(tree, edge.from)} most={40} />
      </td>
      <td className="to">
        <Name text={partyName(tree, edge.to)} most={40} />
      </td>
      <td className={`kind kind-${edge.kind}`}>
        {kindWords[edge.kind]}
        {edge.outcome !== undefined && ` (${oneLine(edge.outcome, 40)})`}
      </td>
      <td className="what">
        <a href={edgeRoute(edge)} dir="auto">
          {oneLine(edge.text, 160) || 'empty'}
        </a>
      </td>
    </tr>
  );
}
