/** The keys, and what the states mean. */
import type { JSX } from 'react';
import { keyHelp } from '../state/keys.ts';
import { stateMeanings } from '../state/words.ts';
import type { NodeState } from '../wire.ts';
import { Icon } from './icons.tsx';
import { Modal } from './modal.tsx';

const states: readonly NodeState[] = ['running', 'waiting', 'parked', 'idle', 'settled', 'damaged'];

export function HelpDialog({ close }: { readonly close: () => void }): JSX.Element {
  return (
    <Modal title="Keys and words" close={close}>
      <dl className="help-list">
        {keyHelp.map(([keys, what]) => (
          <div key={keys}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <dl className="help-list">
        {states.map((state) => (
          <div key={state}>
            <dt>
              <span className={`state state-${state}`}>
                <Icon name={state} />
                <span>{state}</span>
              </span>
            </dt>
            <dd>{stateMeanings[state]}</dd>
          </div>
        ))}
      </dl>
      <div className="dialog-buttons">
        <button type="button" autoFocus onClick={close}>
          Close
        </button>
      </div>
    </Modal>
  );
}
