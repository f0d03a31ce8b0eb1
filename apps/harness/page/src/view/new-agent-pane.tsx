/** Begins a conversation with a new root, and what stands there while nobody is chosen. */
import type { JSX } from 'react';
import { formatRoute, newAgent } from '../state/route.ts';
import { Composer } from './composer.tsx';
import { Icon } from './icons.tsx';
import { usePart } from './program-context.ts';

export function NewAgentPane(): JSX.Element {
  const server = usePart((state) => state.server);
  if (server === undefined) return <p className="empty">Loading …</p>;
  if (!server.canCreate) {
    return (
      <div className="empty centred">
        <h2>This server makes no new agents</h2>
        <p>It was started without a model, and shows what others do.</p>
      </div>
    );
  }
  return (
    <>
      <div className="empty centred">
        <h2>A new agent</h2>
        <p>Write what is to be done. It becomes a root, which can delegate to children.</p>
      </div>
      <Composer to={newAgent} />
    </>
  );
}

export function NobodyPane(): JSX.Element {
  const server = usePart((state) => state.server);
  const none = usePart(({ tree }) => tree.nodes.size === 0);
  if (server === undefined) return <p className="empty">Loading …</p>;
  return (
    <div className="empty centred">
      <h2>{none ? 'No agents yet' : 'No agent is chosen'}</h2>
      <p>
        {none
          ? 'Who begins to work in this store is shown here at once.'
          : 'Choose one from the tree of agents.'}
      </p>
      {server.canCreate && (
        <a className="button" href={formatRoute({ pane: 'transcript', fresh: true })}>
          <Icon name="add" />
          Begin a conversation
        </a>
      )}
    </div>
  );
}
