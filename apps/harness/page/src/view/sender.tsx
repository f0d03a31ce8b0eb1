/** Who wrote a message, with a link to the agent. */
import type { JSX } from 'react';
import { formatRoute } from '../state/route.ts';
import { nameOf, senderName } from '../state/words.ts';
import type { Sender } from '../wire.ts';
import { usePart } from './program-context.ts';
import { Name } from './text.tsx';

export function SenderWords({ sender }: { readonly sender: Sender }): JSX.Element | null {
  switch (sender.kind) {
    case 'human':
      return null;
    case 'agent':
    case 'task':
      return (
        <span>
          from <AgentLink id={sender.id} label={sender.label} />
        </span>
      );
    case 'notice':
      return (
        <span>
          about <AgentLink id={sender.child} label={sender.label} />{' '}
          <NoticeOutcome outcome={sender.outcome} />
        </span>
      );
    case 'other':
      return (
        <code>
          <Name text={senderName(sender)} />
        </code>
      );
  }
}

function AgentLink({ id, label }: { readonly id: string; readonly label?: string | undefined }): JSX.Element {
  const node = usePart(({ tree }) => tree.nodes.get(id));
  const name = nameOf(node ?? { id, label: label ?? '' }, id);
  return (
    <a href={formatRoute({ agent: id, pane: 'transcript' })} title={id}>
      <Name text={name} most={40} />
    </a>
  );
}

function NoticeOutcome({ outcome }: { readonly outcome: string }): JSX.Element {
  return (
    <span className={`outcome outcome-${outcome === 'completed' ? 'ok' : 'other'}`}>
      <Name text={outcome} most={40} />
    </span>
  );
}
