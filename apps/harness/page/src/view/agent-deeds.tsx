/** What can be done to the agent that is shown, and what came of it. */
import { useState, type JSX } from 'react';
import { sessionPath } from '../client/session-path.ts';
import { isUnreached } from '../state/connection.ts';
import { nameOf, unreached } from '../state/words.ts';
import type { TreeNode } from '../wire.ts';
import { toMain } from './focus-heir.ts';
import { Icon, type IconName } from './icons.tsx';
import { usePart, useProgram } from './program-context.ts';
import { StopDialog } from './stop-dialog.tsx';
import { Name } from './text.tsx';

export function Deeds({ node }: { readonly node: TreeNode }): JSX.Element {
  const { interrupt, stop } = useProgram();
  const [asking, setAsking] = useState(false);
  const { can, kind, id } = node;
  return (
    <div className="deeds">
      <Deed
        icon="interrupt"
        word="Interrupt"
        can={can.interrupt}
        what="Ends its turn. What is below it goes on."
        whyNot="No turn is under way."
        run={() => {
          interrupt(id).catch(reportError);
        }}
      />
      {kind !== 'root' && (
        <Deed
          icon="stop"
          word="Stop …"
          can={can.stop}
          what="Ends it and everything below it."
          whyNot="It is not live here."
          run={() => {
            setAsking(true);
          }}
        />
      )}
      <a className="button" href={sessionPath(id, 'export')} download title="All of its log, as JSON Lines">
        <Icon name="export" />
        Export
      </a>
      {asking && (
        <StopDialog
          node={node}
          close={() => {
            setAsking(false);
          }}
          stop={() => {
            stop(id, nameOf(node, id)).catch(reportError);
          }}
        />
      )}
    </div>
  );
}

interface DeedProps {
  readonly icon: IconName;
  readonly word: string;
  readonly can: boolean;
  readonly what: string;
  readonly whyNot: string;
  readonly run: () => void;
}

/** A button that keeps the focus while it can do nothing: what is done to an agent changes what can be done to it. */
function Deed({ icon, word, can, what, whyNot, run }: DeedProps): JSX.Element {
  const away = usePart(({ connection }) => isUnreached(connection));
  const able = can && !away;
  return (
    <button
      type="button"
      aria-disabled={!able}
      title={away ? unreached : can ? what : whyNot}
      onClick={() => {
        if (able) run();
      }}
    >
      <Icon name={icon} />
      {word}
    </button>
  );
}

export function DeedReceipt({ id }: { readonly id: string }): JSX.Element | null {
  const receipt = usePart((state) => state.receipts.get(id));
  const { dispatch } = useProgram();
  if (receipt === undefined) return <div role="status" />;
  return (
    <div role="status" className={`receipt receipt-${receipt.tone}`}>
      <p>
        <Name text={receipt.sentence} most={400} />
      </p>
      {receipt.tone !== 'busy' && (
        <button
          type="button"
          className="icon-button"
          ref={toMain}
          onClick={() => {
            dispatch({ type: 'receipt', id });
          }}
        >
          <Icon name="close" />
          <span className="unseen">Dismiss</span>
        </button>
      )}
    </div>
  );
}
