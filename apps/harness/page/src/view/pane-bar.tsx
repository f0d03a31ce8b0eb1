/** Switches between panes: tabs above the transcript where there is room, and a bar below where there is none. */
import type { JSX } from 'react';
import { formatRoute, type Pane } from '../state/route.ts';
import { Icon, type IconName } from './icons.tsx';
import { usePart } from './program-context.ts';

const entries: readonly (readonly [Pane, string, IconName])[] = [
  ['agents', 'Agents', 'agent'],
  ['transcript', 'Transcript', 'answer'],
  ['sequence', 'Sequence', 'sequence'],
  ['details', 'Inbox', 'inbox'],
];

export function PaneTabs(): JSX.Element {
  return (
    <nav className="pane-tabs" aria-label="Views of this agent">
      <PaneLinks shown={entries.slice(1)} />
    </nav>
  );
}

export function PaneBar(): JSX.Element {
  return (
    <nav className="pane-bar" aria-label="Panes">
      <PaneLinks shown={entries} />
    </nav>
  );
}

function PaneLinks({ shown }: { readonly shown: typeof entries }): JSX.Element {
  const { pane, agent } = usePart((state) => state.route);
  const base = agent === undefined ? {} : { agent };
  return (
    <>
      {shown.map(([name, word, icon]) => (
        <a
          key={name}
          className={`pane-link pane-link-${name}`}
          href={formatRoute({ ...base, pane: name })}
          aria-current={name === pane ? 'page' : undefined}
        >
          <Icon name={icon} />
          <span>{word}</span>
        </a>
      ))}
    </>
  );
}
