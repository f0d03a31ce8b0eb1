/** What a search has found in transcripts. */
import type { JSX } from 'react';
import { clock, count } from '../state/format.ts';
import { formatRoute } from '../state/route.ts';
import { plain } from '../state/visible-text.ts';
import { kindWords, nameOf } from '../state/words.ts';
import type { SearchHit } from '../wire.ts';
import { usePart, useProgram } from './program-context.ts';

export function SearchResults(): JSX.Element {
  const { dispatch } = useProgram();
  const search = usePart((state) => state.search);
  const hits = search.hits.filter((hit) => hit.seq !== undefined);
  const waiting = search.wanted || search.query !== search.text.trim();
  return (
    <section className="search-results" aria-label="Found in transcripts">
      <h2>
        In transcripts <span className="hint">{waiting ? 'searching …' : count(hits.length)}</span>
      </h2>
      {search.problem !== undefined && <p className="problem">{plain(search.problem)}</p>}
      {!waiting && hits.length === 0 && search.problem === undefined && (
        <p className="hint">Nothing was found.</p>
      )}
      <ul>
        {hits.map((hit, at) => (
          <li key={at}>
            <Hit hit={hit} />
          </li>
        ))}
      </ul>
      {!waiting && search.next !== undefined && (
        <button
          type="button"
          onClick={() => {
            dispatch({ type: 'search', step: 'more' });
          }}
        >
          Search on
        </button>
      )}
    </section>
  );
}

function Hit({ hit }: { readonly hit: SearchHit }): JSX.Element {
  const node = usePart(({ tree }) => tree.nodes.get(hit.session));
  const { excerpt, at, length, seq } = hit;
  const kind = Object.entries(kindWords).find(([name]) => name === hit.kind)?.[1] ?? hit.kind;
  return (
    <a href={formatRoute({ agent: hit.session, pane: 'transcript', ...(seq === undefined ? {} : { seq }) })}>
      <span className="hit-head">
        <span className="cut">
          <bdi>{nameOf(node, hit.session)}</bdi>
        </span>
        <span className="hint">
          {plain(kind)}
          {hit.time !== undefined && ` · ${clock(hit.time, Date.now())}`}
        </span>
      </span>
      <span className="excerpt" dir="auto">
        {plain(excerpt.slice(0, at))}
        <mark>{plain(excerpt.slice(at, at + length))}</mark>
        {plain(excerpt.slice(at + length))}
      </span>
    </a>
  );
}
