/** Whose server this is, how things stand with it, and what belongs to the page itself. */
import type { JSX } from 'react';
import { connectionWord } from '../state/connection.ts';
import { Icon } from './icons.tsx';
import { usePart } from './program-context.ts';
import { Name } from './text.tsx';
import type { Theme } from './theme.ts';

interface TopBarProps {
  readonly theme: Theme;
  readonly switchTheme: () => void;
  readonly openHelp: () => void;
}

const themeWords: Record<Theme, string> = { system: 'System', light: 'Light', dark: 'Dark' };

export function TopBar({ theme, switchTheme, openHelp }: TopBarProps): JSX.Element {
  const server = usePart((state) => state.server);
  return (
    <header className="top-bar">
      <h1>dsh inspector</h1>
      {server !== undefined && (
        <p className="store" title="The folder of the Sessions">
          <Name text={server.store} most={200} />
        </p>
      )}
      <ConnectionMark />
      <button
        type="button"
        className="icon-button"
        onClick={switchTheme}
        title={`Colours: ${themeWords[theme]} (t)`}
      >
        <Icon name="theme" />
        <span className="wide-only">{themeWords[theme]}</span>
        <span className="unseen">Switch between light and dark</span>
      </button>
      <button type="button" className="icon-button" onClick={openHelp} title="Keys and words (?)">
        <Icon name="help" />
        <span className="unseen">Help</span>
      </button>
    </header>
  );
}

function ConnectionMark(): JSX.Element {
  const connection = usePart((state) => state.connection);
  return (
    <span className={`connection connection-${connection.kind}`}>
      <span className="connection-dot" aria-hidden="true" />
      {connectionWord(connection)}
    </span>
  );
}
