/** Asks once more before something is stopped, and names what ends. */
import type { JSX } from 'react';
import { counted } from '../state/format.ts';
import { descendantsOf } from '../state/tree.ts';
import { oneLine } from '../state/visible-text.ts';
import { nameOf } from '../state/words.ts';
import type { TreeNode } from '../wire.ts';
import { Modal } from './modal.tsx';
import { usePart } from './program-context.ts';
import { StateMark } from './state-mark.tsx';

/** So many are named one by one. */
const named = 8;

interface StopDialogProps {
  readonly node: TreeNode;
  readonly close: () => void;
  readonly stop: () => void;
}

export function StopDialog({ node, close, stop }: StopDialogProps): JSX.Element {
  const tree = usePart((state) => state.tree);
  const ending = [node, ...descendantsOf(tree, node.id).filter(({ live }) => live)];
  const more = ending.length - named;
  const below = ending.length - 1;
  const name = nameOf(node, node.id);
  return (
    <Modal title={<StopTitle name={name} />} close={close}>
      <p>
        {below === 0
          ? 'It ends now, and leaves memory.'
          : `It and ${counted(below, 'live agent', 'live agents')} below it end now, and leave memory.`}{' '}
        The conversations are kept.
      </p>
      <ul className="ending" tabIndex={0} aria-label="What ends">
        {ending.slice(0, named).map((one) => (
          <li key={one.id}>
            <bdi>{nameOf(one, one.id)}</bdi>
            <StateMark node={one} small />
          </li>
        ))}
        {more > 0 && <li>and {counted(more, 'more', 'more')}</li>}
      </ul>
      <div className="dialog-buttons">
        <button type="button" autoFocus onClick={close}>
          Leave it running
        </button>
        <button
          type="button"
          className="danger"
          onClick={() => {
            stop();
            close();
          }}
        >
          {below === 0 ? 'Stop it' : `Stop all ${ending.length}`}
        </button>
      </div>
    </Modal>
  );
}

function StopTitle({ name }: { readonly name: string }): JSX.Element {
  return (
    <>
      Stop <bdi>{oneLine(name, 60)}</bdi>?
    </>
  );
}
