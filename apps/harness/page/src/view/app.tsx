/** The whole page: which pane is where. */
import { useEffect, useRef, useState, type JSX } from 'react';
import { AgentHead } from './agent-head.tsx';
import { Boundary } from './boundary.tsx';
import { Composer } from './composer.tsx';
import { ConnectionBanner } from './connection-banner.tsx';
import { DetailsPane } from './details-pane.tsx';
import { HelpDialog } from './help-dialog.tsx';
import { LiveStatus } from './live-status.tsx';
import { NewAgentPane, NobodyPane } from './new-agent-pane.tsx';
import { PaneBar, PaneTabs } from './pane-bar.tsx';
import { usePart } from './program-context.ts';
import { SequencePane } from './sequence-pane.tsx';
import { TopBar } from './top-bar.tsx';
import { TranscriptPane } from './transcript-pane.tsx';
import { TreePane } from './tree-pane.tsx';
import { useKeys } from './use-keys.ts';
import { useTheme } from './use-theme.ts';

export function App(): JSX.Element {
  const route = usePart((state) => state.route);
  const [help, setHelp] = useState(false);
  const { theme, switchTheme } = useTheme();
  const search = useRef<HTMLInputElement>(null);
  useKeys({
    search,
    help: () => {
      setHelp((open) => !open);
    },
    theme: switchTheme,
  });
  useTitle();
  return (
    <div className="app" data-pane={route.pane}>
      <a className="skip" href="#main" onClick={focusMain}>
        To the transcript
      </a>
      <TopBar
        theme={theme}
        switchTheme={switchTheme}
        openHelp={() => {
          setHelp(true);
        }}
      />
      <ConnectionBanner />
      <div className="panes">
        <TreePane search={search} />
        <main className="main" id="main" tabIndex={-1}>
          {route.fresh === true ? <NewAgentPane /> : <AgentPane />}
        </main>
        <Boundary key={`of:${route.agent}`} what="This agent">
          <DetailsPane />
        </Boundary>
      </div>
      <PaneBar />
      <LiveStatus />
      {help && (
        <HelpDialog
          close={() => {
            setHelp(false);
          }}
        />
      )}
    </div>
  );
}

function AgentPane(): JSX.Element {
  const id = usePart(({ opened }) => opened?.id);
  const sequence = usePart(({ route }) => route.pane === 'sequence');
  if (id === undefined) return <NobodyPane />;
  return (
    <Boundary key={`${id}:${sequence}`} what="This agent">
      <AgentHead key={`head:${id}`} id={id} />
      <PaneTabs />
      {sequence ? <SequencePane /> : <TranscriptPane key={id} id={id} />}
      <Composer key={`to:${id}`} to={id} />
    </Boundary>
  );
}

/** The fragment of the address is a route: a link within the page moves the focus by itself. */
function focusMain(event: React.MouseEvent): void {
  event.preventDefault();
  document.getElementById('main')?.focus();
}

/** The title tells what goes on while another tab is in front. */
function useTitle(): void {
  const running = usePart(
    ({ tree }) => [...tree.nodes.values()].filter(({ state }) => state === 'running').length,
  );
  const away = usePart(({ connection }) => connection.kind === 'away');
  useEffect(() => {
    const what = away ? '(away) ' : running > 0 ? `(${running} running) ` : '';
    document.title = `${what}dsh inspector`;
  }, [running, away]);
}
