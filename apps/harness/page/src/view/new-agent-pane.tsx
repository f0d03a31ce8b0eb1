/** Begins a conversation with a new root. */
import type { JSX } from 'react';
import { newAgent } from '../state/route.ts';
import { Composer } from './composer.tsx';
import { usePart } from './program-context.ts';

export function NewAgentPane(): JSX.Element {
  const server = usePart((state) => state.server);
  if (server?.canCreate !== true) return <p className="empty">This server makes no new agents.</p>;
  return (
    <>
      <div className="empty">
        <h2>A new agent</h2>
        <p>Write what is to be done. It becomes a root, which can delegate to children.</p>
      </div>
      <Composer to={newAgent} />
    </>
  );
}
