/** One record of a log. Each kind has its own shape, word and colour. */
import { memo, type JSX, type ReactNode } from 'react';
import { clock, isoTime } from '../state/format.ts';
import { formatRoute } from '../state/route.ts';
import { answerMarks, entryKind, kindWords } from '../state/words.ts';
import type { TranscriptEntry } from '../wire.ts';
import { AssistantParts } from './assistant.tsx';
import { Blocks } from './blocks.tsx';
import { DamagedView, EndedView, RecordView, TurnView } from './entry-small.tsx';
import { Icon, type IconName } from './icons.tsx';
import { SenderWords } from './sender.tsx';
import { LongText, Name } from './text.tsx';

const icons: Record<ReturnType<typeof entryKind>, IconName> = {
  human: 'person',
  agent: 'agent',
  task: 'task',
  notice: 'notice',
  other: 'record',
  assistant: 'answer',
  'tool-result': 'result',
  'turn-start': 'open',
  'turn-end': 'ended',
  ended: 'ended',
  record: 'record',
  unknown: 'record',
  damaged: 'damaged',
};

interface EntryProps {
  readonly entry: TranscriptEntry;
  readonly id: string;
  readonly target: boolean;
}

export const EntryView = memo(function EntryView({ entry, id, target }: EntryProps): JSX.Element {
  const kind = entryKind(entry);
  const quiet = kind === 'turn-start' || kind === 'turn-end';
  return (
    <article
      className={`entry entry-${kind}${target ? ' target' : ''}${entry.inherited === true ? ' inherited' : ''}`}
      data-seq={entry.seq}
      data-kind={kind}
      tabIndex={-1}
      aria-label={`${kindWords[kind]}${entry.seq === undefined ? '' : `, record ${entry.seq}`}`}
    >
      {quiet ? (
        <Body entry={entry} />
      ) : (
        <>
          <header className="entry-head">
            <Icon name={icons[kind]} />
            <strong className="entry-kind">{kindWords[kind]}</strong>
            <HeadWords entry={entry} />
            <Marks entry={entry} id={id} />
          </header>
          <Body entry={entry} />
        </>
      )}
    </article>
  );
});

function HeadWords({ entry }: { readonly entry: TranscriptEntry }): ReactNode {
  if (entry.kind === 'message') return <SenderWords sender={entry.sender} />;
  if (entry.kind === 'tool-result') {
    return (
      <span className={`outcome outcome-${entry.outcome}`}>
        <code>
          <Name text={entry.name} />
        </code>{' '}
        <Name text={entry.outcome} />
      </span>
    );
  }
  if (entry.kind !== 'assistant') return null;
  return (
    <>
      {answerMarks(entry).map((mark) => (
        <bdi key={mark} className="warn-mark">
          {mark}
        </bdi>
      ))}
    </>
  );
}

function Marks({ entry, id }: { readonly entry: TranscriptEntry; readonly id: string }): JSX.Element {
  const { seq, time, inherited } = entry;
  return (
    <span className="entry-marks">
      {inherited === true && (
        <span title="Taken over from the parent when this child was forked">inherited</span>
      )}
      {time !== undefined && (
        <time dateTime={isoTime(time)} title={isoTime(time)}>
          {clock(time, Date.now())}
        </time>
      )}
      {seq !== undefined && (
        <a
          href={formatRoute({ agent: id, pane: 'transcript', seq })}
          title="A link to this record"
          aria-label={`Link to record ${seq}`}
        >
          #{seq}
        </a>
      )}
    </span>
  );
}

function Body({ entry }: { readonly entry: TranscriptEntry }): JSX.Element {
  switch (entry.kind) {
    case 'message':
      return <Blocks blocks={entry.blocks} />;
    case 'assistant':
      return <AssistantParts entry={entry} />;
    case 'tool-result':
      return (
        <>
          <Blocks blocks={entry.blocks} code />
          {entry.structured !== undefined && (
            <details className="structured">
              <summary>Structured output</summary>
              <LongText {...entry.structured} code />
            </details>
          )}
        </>
      );
    case 'turn-start':
    case 'turn-end':
      return <TurnView entry={entry} />;
    case 'ended':
      return <EndedView entry={entry} />;
    case 'record':
    case 'unknown':
      return <RecordView entry={entry} />;
    case 'damaged':
      return <DamagedView entry={entry} />;
  }
}
