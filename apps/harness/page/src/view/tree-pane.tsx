/** The agents: a search field, and below it the tree or what was found. */
import { useEffect, type JSX, type RefObject } from 'react';
import { count, counted } from '../state/format.ts';
import { formatRoute } from '../state/route.ts';
import { AgentTree } from './agent-tree.tsx';
import { Icon } from './icons.tsx';
import { usePart, useProgram } from './program-context.ts';
import { SearchResults } from './search-results.tsx';

/** After so many milliseconds without a key the transcripts are searched. */
const searchPause = 250;

export function TreePane({ search }: { readonly search: RefObject<HTMLInputElement | null> }): JSX.Element {
  const { dispatch } = useProgram();
  const text = usePart((state) => state.search.text);
  useEffect(() => {
    const timer = setTimeout(() => {
      dispatch({ type: 'search', step: 'paused' });
    }, searchPause);
    return () => {
      clearTimeout(timer);
    };
  }, [text, dispatch]);
  const type = (typed: string): void => {
    dispatch({ type: 'search', step: { typed } });
  };
  return (
    <section className="tree-pane" aria-label="Agents">
      <div className="search-line">
        <Icon name="search" />
        <input
          ref={search}
          type="search"
          value={text}
          placeholder="Search agents and transcripts"
          aria-label="Search agents and transcripts"
          spellCheck={false}
          autoComplete="off"
          maxLength={200}
          onChange={(event) => {
            type(event.target.value);
          }}
          onKeyDown={(event) => {
            if (event.key === 'Escape') type('');
          }}
        />
        {text === '' ? (
          <kbd aria-hidden="true">/</kbd>
        ) : (
          <button
            type="button"
            className="icon-button"
            onClick={() => {
              type('');
              search.current?.focus();
            }}
          >
            <Icon name="close" />
            <span className="unseen">Clear the search</span>
          </button>
        )}
      </div>
      <TreeSummary />
      <AgentTree />
      {text.trim().length > 1 && <SearchResults />}
    </section>
  );
}

function TreeSummary(): JSX.Element {
  const { nodes, unread, omitted } = usePart(({ tree }) => tree);
  const canCreate = usePart(({ server }) => server?.canCreate === true);
  const live = [...nodes.values()].filter((node) => node.live).length;
  const hints = [
    `${counted(nodes.size, 'agent')}, ${count(live)} live`,
    ...(unread > 0 ? [`${counted(unread, 'log is', 'logs are')} still being read`] : []),
    ...(omitted > 0 ? [`${count(omitted)} older ones are left out`] : []),
  ];
  return (
    <div className="tree-summary">
      <p>{hints.join('; ')}</p>
      {canCreate && (
        <a className="button small" href={formatRoute({ pane: 'transcript', fresh: true })}>
          <Icon name="add" />
          New
        </a>
      )}
    </div>
  );
}
