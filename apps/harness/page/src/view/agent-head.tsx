/** Which agent is shown, how it stands, and what can be done to it. */
import { useState, type JSX } from 'react';
import { sessionPath } from '../client/session-path.ts';
import { formatRoute } from '../state/route.ts';
import { ancestorsOf } from '../state/tree.ts';
import { kindOfAgent, nameOf } from '../state/words.ts';
import { oneLine } from '../state/visible-text.ts';
import type { TreeNode } from '../wire.ts';
import { Icon } from './icons.tsx';
import { usePart, useProgram } from './program-context.ts';
import { StateMark } from './state-mark.tsx';
import { StopDialog } from './stop-dialog.tsx';
import { Name } from './text.tsx';

export function AgentHead({ id }: { readonly id: string }): JSX.Element {
  const tree = usePart((state) => state.tree);
  const node = tree.nodes.get(id);
  if (node === undefined) {
    return (
      <header className="agent-head">
        <h2>
          <Name text={id} />
        </h2>
      </header>
    );
  }
  const ancestors = ancestorsOf(tree, id);
  return (
    <header className="agent-head">
      {ancestors.length > 0 && (
        <nav className="ancestors" aria-label="Above this agent">
          {ancestors.toReversed().map((ancestor) => (
            <a key={ancestor.id} href={formatRoute({ agent: ancestor.id, pane: 'transcript' })}>
              <Name text={nameOf(ancestor, ancestor.id)} most={40} />
            </a>
          ))}
        </nav>
      )}
      <div className="agent-line">
        <h2 title={nameOf(node, id)}>
          <Name text={nameOf(node, id)} />
        </h2>
        <StateMark node={node} />
        <Deeds node={node} />
      </div>
      <p className="agent-facts">
        <span>{kindOfAgent(node)}</span> <code>{oneLine(id, 80)}</code>
        {node.model !== undefined && <code>{oneLine(node.model, 60)}</code>}
      </p>
      {node.problem !== undefined && (
        <p className="problem">
          <Name text={node.problem.message} most={400} />
        </p>
      )}
      {node.openTurn === true && (
        <p className="hint">Its last turn has no end: another process runs it, or one has crashed.</p>
      )}
      <DeedReceipt id={id} />
    </header>
  );
}

function Deeds({ node }: { readonly node: TreeNode }): JSX.Element {
  const { interrupt, stop } = useProgram();
  const [asking, setAsking] = useState(false);
  const name = nameOf(node, node.id);
  return (
    <div className="deeds">
      <button
        type="button"
        disabled={!node.can.interrupt}
        title={node.can.interrupt ? 'Ends its turn. What is below it goes on.' : 'No turn is under way.'}
        onClick={() => {
          interrupt(node.id).catch(reportError);
        }}
      >
        <Icon name="interrupt" />
        Interrupt
      </button>
      {node.kind !== 'root' && (
        <button
          type="button"
          disabled={!node.can.stop}
          title={node.can.stop ? 'Ends it and everything below it.' : 'It is not live here.'}
          onClick={() => {
            setAsking(true);
          }}
        >
          <Icon name="stop" />
          Stop …
        </button>
      )}
      <a
        className="button"
        href={sessionPath(node.id, 'export')}
        download
        title="All of its log, as JSON Lines"
      >
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
            stop(node.id, name).catch(reportError);
          }}
        />
      )}
    </div>
  );
}

function DeedReceipt({ id }: { readonly id: string }): JSX.Element | null {
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
