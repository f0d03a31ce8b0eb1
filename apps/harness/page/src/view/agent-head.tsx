/** Which agent is shown, and how it stands. */
import type { JSX } from 'react';
import { counted } from '../state/format.ts';
import { formatRoute } from '../state/route.ts';
import { ancestorsOf } from '../state/tree.ts';
import { kindOfAgent, nameOf } from '../state/words.ts';
import { oneLine } from '../state/visible-text.ts';
import type { TreeNode } from '../wire.ts';
import { DeedReceipt, Deeds } from './agent-deeds.tsx';
import { usePart } from './program-context.ts';
import { StateMark } from './state-mark.tsx';
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
      {ancestors.length > 0 && <Ancestors ancestors={ancestors.toReversed()} />}
      <div className="agent-line">
        <h2 className="cut" title={nameOf(node, id)}>
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

/** So many are named; between the root and the nearest ones the rest is left to the tree. */
const mostAncestors = 4;

function Ancestors({ ancestors }: { readonly ancestors: readonly TreeNode[] }): JSX.Element {
  const hidden = Math.max(0, ancestors.length - mostAncestors);
  const between = ancestors.slice(1, 1 + hidden);
  return (
    <nav className="ancestors" aria-label="Above this agent">
      {ancestors
        .filter((one) => !between.includes(one))
        .map((ancestor, at) => (
          <span key={ancestor.id}>
            <a href={formatRoute({ agent: ancestor.id, pane: 'transcript' })}>
              <Name text={nameOf(ancestor, ancestor.id)} most={40} />
            </a>
            {at === 0 && hidden > 0 && (
              <span className="hint" title={between.map((one) => nameOf(one, one.id)).join(' / ')}>
                {counted(hidden, 'more', 'more')}
              </span>
            )}
          </span>
        ))}
    </nav>
  );
}
