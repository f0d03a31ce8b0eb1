/** Who wrote to whom, as a picture and as a list. */
import { useMemo, useState, type JSX } from 'react';
import { shownRoot } from '../client/lanes.ts';
import { count } from '../state/format.ts';
import { pictureOf } from '../state/flow.ts';
import { toSequence } from './focus-heir.ts';
import { Icon, type IconName } from './icons.tsx';
import { usePart } from './program-context.ts';
import { SequenceList } from './sequence-list.tsx';
import { SequencePicture } from './sequence-picture.tsx';
import { useNarrow } from './use-narrow.ts';

/** So many messages are shown at first, and more with each step. */
const step = 200;
/** Among more lanes than these nobody finds one: the list comes first then. */
const mostLanes = 40;

export function SequencePane(): JSX.Element {
  const root = usePart(shownRoot);
  const flow = usePart((state) => state.flow);
  const problem = usePart((state) => state.flowProblem);
  const id = usePart((state) => state.opened?.id);
  const narrow = useNarrow();
  const [chosen, setChosen] = useState<Shape | undefined>(undefined);
  const [own, setOwn] = useState(false);
  const [most, setMost] = useState(step);
  const here = flow?.root === root ? flow : undefined;
  const picture = useMemo(
    () => (here === undefined ? undefined : pictureOf(here, { most, about: own ? id : undefined })),
    [here, most, own, id],
  );
  const wide = (picture?.lanes.length ?? 0) > mostLanes;
  const shape = chosen ?? (narrow || wide ? 'list' : 'picture');
  const more = (): void => {
    setMost(most + step);
  };
  return (
    <section className="sequence" aria-label="Who wrote to whom">
      <div className="sequence-tools">
        <Choice shape={shape} choose={setChosen} />
        <label>
          <input
            type="checkbox"
            checked={own}
            onChange={(event) => {
              setOwn(event.target.checked);
            }}
          />
          Only this agent
        </label>
      </div>
      {problem !== undefined && problem.root === root && <p className="problem">{problem.sentence}</p>}
      {picture === undefined && problem === undefined && <p className="empty">Loading …</p>}
      {picture?.arrows.length === 0 && <p className="empty">Nobody wrote to anybody yet.</p>}
      {picture !== undefined && picture.arrows.length > 0 && (
        <>
          <Earlier earlier={picture.earlier} truncated={here?.truncated === true} more={more} />
          {shape === 'picture' ? <SequencePicture picture={picture} /> : <SequenceList picture={picture} />}
        </>
      )}
    </section>
  );
}

interface EarlierProps {
  readonly earlier: number;
  readonly truncated: boolean;
  readonly more: () => void;
}

function Earlier({ earlier, truncated, more }: EarlierProps): JSX.Element | null {
  if (earlier > 0) {
    return (
      <button type="button" className="quiet" ref={toSequence} onClick={more}>
        Show more of {count(earlier)} earlier messages
      </button>
    );
  }
  return truncated ? <p className="hint">Older messages are left out.</p> : null;
}

type Shape = 'picture' | 'list';

const shapes: readonly (readonly [Shape, string, IconName])[] = [
  ['picture', 'Picture', 'sequence'],
  ['list', 'List', 'list'],
];

function Choice({
  shape,
  choose,
}: {
  readonly shape: Shape;
  readonly choose: (shape: Shape) => void;
}): JSX.Element {
  return (
    <div className="choice" role="group" aria-label="Shape">
      {shapes.map(([name, word, icon]) => (
        <button
          key={name}
          type="button"
          aria-pressed={shape === name}
          onClick={() => {
            choose(name);
          }}
        >
          <Icon name={icon} />
          {word}
        </button>
      ))}
    </div>
  );
}
