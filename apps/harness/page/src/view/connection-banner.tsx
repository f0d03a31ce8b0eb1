/** Tells in a sentence what is wrong with the connection, and what the server has complained of. */
import type { JSX } from 'react';
import { connectionSentence } from '../state/connection.ts';
import { counted } from '../state/format.ts';
import { toMain } from './focus-heir.ts';
import { Icon } from './icons.tsx';
import { usePart, useProgram } from './program-context.ts';
import { Name } from './text.tsx';
import { useNow } from './use-now.ts';

export function ConnectionBanner(): JSX.Element {
  return (
    <div className="banners">
      <Connection />
      <Troubles />
    </div>
  );
}

function Connection(): JSX.Element | null {
  const connection = usePart((state) => state.connection);
  const { dispatch } = useProgram();
  const now = useNow(1_000);
  const sentence = connectionSentence(connection, now);
  if (sentence === undefined) return null;
  return (
    <div className={`banner banner-${connection.kind}`}>
      <Icon name={connection.kind === 'live' ? 'notice' : 'damaged'} />
      <p>{sentence}</p>
      {connection.kind === 'live' && (
        <Dismiss
          onClick={() => {
            dispatch({ type: 'connection', event: { type: 'noticed' } });
          }}
        />
      )}
    </div>
  );
}

function Troubles(): JSX.Element | null {
  const troubles = usePart((state) => state.troubles);
  const { dispatch } = useProgram();
  const last = troubles.at(-1);
  if (last === undefined) return null;
  const more = troubles.length - 1;
  return (
    <div className="banner banner-trouble">
      <Icon name="damaged" />
      <p>
        <Name text={last.message} most={400} /> <code>{last.code}</code>
        {more > 0 && ` and ${counted(more, 'earlier one', 'earlier ones')}`}
      </p>
      <Dismiss
        onClick={() => {
          dispatch({ type: 'troubles-seen' });
        }}
      />
    </div>
  );
}

function Dismiss({ onClick }: { readonly onClick: () => void }): JSX.Element {
  return (
    <button type="button" className="icon-button" ref={toMain} onClick={onClick}>
      <Icon name="close" />
      <span className="unseen">Dismiss</span>
    </button>
  );
}
