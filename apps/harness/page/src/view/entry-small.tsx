/** Records that nobody has said: turns, endings, what the program wrote for itself, and damage. */
import type { JSX } from 'react';
import { allTokens, bytes, clock, counted, duration, isoTime } from '../state/format.ts';
import { turnEndWords, turnWords } from '../state/words.ts';
import type { TranscriptEntry } from '../wire.ts';
import { LongText, Name } from './text.tsx';

interface Of<Kind extends TranscriptEntry['kind']> {
  readonly entry: Extract<TranscriptEntry, { kind: Kind }>;
}

export function TurnView({ entry }: Of<'turn-start' | 'turn-end'>): JSX.Element {
  const { time } = entry;
  const ended = entry.kind === 'turn-end';
  return (
    <p className={`turn${ended && entry.reason !== 'completed' ? ' turn-bad' : ''}`}>
      <bdi>{ended ? turnEndWords(entry.turn, entry.reason, entry.detail) : turnWords(entry.turn)}</bdi>
      {time !== undefined && <time dateTime={isoTime(time)}>{clock(time, Date.now())}</time>}
    </p>
  );
}

export function EndedView({ entry }: Of<'ended'>): JSX.Element {
  const facts = [
    entry.outcome,
    ...(entry.durationMs === undefined ? [] : [`after ${duration(entry.durationMs)}`]),
    ...(entry.tokens === undefined ? [] : [counted(allTokens(entry.tokens), 'token')]),
  ];
  return (
    <p className="hint">
      <Name text={facts.join(', ')} />
    </p>
  );
}

export function RecordView({ entry }: Of<'record' | 'unknown'>): JSX.Element {
  return (
    <details className="structured">
      <summary>
        <code>
          <Name text={entry.type} />
        </code>
        {entry.kind === 'unknown' && entry.essential === true && <span className="warn-mark">essential</span>}
      </summary>
      <LongText {...entry.json} code />
    </details>
  );
}

export function DamagedView({ entry }: Of<'damaged'>): JSX.Element {
  return (
    <p>
      <Name text={entry.reason} most={200} />, {bytes(entry.bytes)}. What was there cannot be shown.
    </p>
  );
}
