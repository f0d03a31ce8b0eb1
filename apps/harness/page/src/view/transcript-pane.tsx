/**
 * The transcript of the agent that is shown.
 * I1. While the end is followed it stays in view. Scrolling up ends that, and then nothing that comes moves the text.
 * I2. Pages that are loaded above or let go there leave what is in view where it is.
 */
import { useEffect, useMemo, type JSX } from 'react';
import { count, counted } from '../state/format.ts';
import { atEnd, shownPartial, type Transcript } from '../state/transcript.ts';
import { transcriptItems } from '../state/transcript-items.ts';
import type { Opened } from '../state/opened.ts';
import { Boundary } from './boundary.tsx';
import { EntryView } from './entry.tsx';
import { toTranscript } from './focus-heir.ts';
import { Icon } from './icons.tsx';
import { PartialView } from './partial.tsx';
import { usePart, useProgram } from './program-context.ts';
import { Name } from './text.tsx';
import { useTranscriptScroll } from './use-transcript-scroll.ts';

export function TranscriptPane({ id }: { readonly id: string }): JSX.Element {
  const opened = usePart((state) => state.opened);
  if (opened?.id !== id) return <div className="transcript" />;
  return <Loaded opened={opened} />;
}

function Loaded({ opened }: { readonly opened: Opened }): JSX.Element {
  const scroller = useTranscriptScroll(opened);
  const { transcript, problem, seq } = opened;
  useTarget(seq, transcript);
  return (
    <div className="transcript-box">
      <Tools transcript={transcript} />
      <div className="transcript" ref={scroller} role="region" aria-label="Transcript" tabIndex={0}>
        {problem !== undefined && (
          <p className="problem">
            <Name text={problem} most={400} />
          </p>
        )}
        {transcript !== undefined && <Entries opened={opened} transcript={transcript} />}
      </div>
      {transcript !== undefined && <ToEnd opened={opened} transcript={transcript} />}
    </div>
  );
}

interface OfTranscript {
  readonly opened: Opened;
  readonly transcript: Transcript;
}

function Tools({ transcript }: { readonly transcript: Transcript | undefined }): JSX.Element {
  const { dispatch } = useProgram();
  const records = usePart((state) => state.records);
  return (
    <div className="transcript-tools">
      <p>{transcript === undefined ? 'Loading …' : rangeWords(transcript)}</p>
      <label>
        <input
          type="checkbox"
          checked={records}
          onChange={(event) => {
            dispatch({ type: 'records', shown: event.target.checked });
          }}
        />
        All records
      </label>
    </div>
  );
}

function Entries({ opened, transcript }: OfTranscript): JSX.Element {
  const records = usePart((state) => state.records);
  const { id, seq, follow } = opened;
  const { entries, length, from } = transcript;
  const items = useMemo(() => transcriptItems(entries, records), [entries, records]);
  const partial = atEnd(transcript) ? shownPartial(transcript) : undefined;
  return (
    <>
      {from > 0 && <More what="older" />}
      {length === 0 && partial === undefined && <p className="empty">Nothing was written yet.</p>}
      <div className="entries">
        {items.map(({ key, entry }) => (
          <Boundary key={key} what="This record">
            <EntryView entry={entry} target={seq !== undefined && entry.seq === seq} id={id} />
          </Boundary>
        ))}
        {partial !== undefined && <PartialView partial={partial} />}
      </div>
      {!follow && !atEnd(transcript) && <More what="newer" />}
    </>
  );
}

function More({ what }: { readonly what: 'older' | 'newer' }): JSX.Element {
  const { dispatch } = useProgram();
  return (
    <button
      type="button"
      className="quiet"
      ref={toTranscript}
      onClick={() => {
        dispatch({ type: 'want', what });
      }}
    >
      Load {what} records
    </button>
  );
}

function ToEnd({ opened, transcript }: OfTranscript): JSX.Element | null {
  const { dispatch } = useProgram();
  if (opened.follow) return null;
  const newer = transcript.length - transcript.to;
  return (
    <button
      type="button"
      className="to-end"
      ref={toTranscript}
      onClick={() => {
        dispatch({ type: 'follow', on: true });
      }}
    >
      <Icon name="down" />
      To the end{newer > 0 && `, ${counted(newer, 'newer record')}`}
    </button>
  );
}

function rangeWords({ from, to, length }: Transcript): string {
  if (from === 0 && to >= length) return counted(length, 'record');
  return `Records #${from} to #${to - 1} of ${count(length)}`;
}

/** Shows the record of the link, once it is there. */
function useTarget(seq: number | undefined, transcript: Transcript | undefined): void {
  const there = seq !== undefined && transcript?.entries.some((entry) => entry.seq === seq) === true;
  useEffect(() => {
    if (!there) return;
    const entry = document.querySelector<HTMLElement>(`.entry[data-seq="${seq}"]`);
    entry?.scrollIntoView({ block: 'center' });
    entry?.focus({ preventScroll: true });
  }, [there, seq]);
}
