/** Text of others: as it is, in its own direction, with everything invisible made visible. */
import { useState, type JSX } from 'react';
import { count } from '../state/format.ts';
import { oneLine, segments } from '../state/visible-text.ts';

/** Longer texts are folded at first. */
const folded = 6_000;

function Segments({ text }: { readonly text: string }): JSX.Element {
  return (
    <>
      {segments(text).map((segment, at) =>
        'text' in segment ? (
          segment.text
        ) : (
          <span key={at} className="mark" title={`Not shown as itself: ${segment.mark}`}>
            {segment.mark}
          </span>
        ),
      )}
    </>
  );
}

/** Several lines. `cut` characters are missing at its end. */
export function LongText({
  text,
  cut,
  code = false,
}: {
  readonly text: string;
  readonly cut?: number | undefined;
  readonly code?: boolean;
}): JSX.Element {
  const [open, setOpen] = useState(false);
  const long = text.length > folded * 1.2;
  const shown = long && !open ? text.slice(0, folded) : text;
  return (
    <>
      <div className={code ? 'text code' : 'text'} dir={code ? 'ltr' : 'auto'}>
        <Segments text={shown} />
      </div>
      {long && (
        <button
          type="button"
          className="quiet"
          onClick={() => {
            setOpen(!open);
          }}
        >
          {open ? 'Show less' : `Show all ${count(text.length)} characters`}
        </button>
      )}
      {cut !== undefined && cut > 0 && (
        <p className="hint">{count(cut)} characters more are left out here. The export has them.</p>
      )}
    </>
  );
}

/** A name or an excerpt in one line, which neither moves nor is moved by what stands beside it. */
export function Name({ text, most = 80 }: { readonly text: string; readonly most?: number }): JSX.Element {
  return <bdi>{oneLine(text, most)}</bdi>;
}
