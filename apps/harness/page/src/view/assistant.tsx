/** What a model answered: its text, its reasoning, and the tools that it called. */
import type { JSX } from 'react';
import { allTokens, counted } from '../state/format.ts';
import type { TranscriptEntry } from '../wire.ts';
import { BlockView } from './blocks.tsx';
import { Name } from './text.tsx';

export function AssistantParts({
  entry,
}: {
  readonly entry: Extract<TranscriptEntry, { kind: 'assistant' }>;
}): JSX.Element {
  const { blocks, model, tokens } = entry;
  return (
    <>
      {blocks.length === 0 && <p className="hint">It said nothing.</p>}
      {blocks.map((block, at) => (
        <BlockView key={at} block={block} />
      ))}
      {(model !== undefined || tokens !== undefined) && (
        <p className="entry-foot">
          {model !== undefined && <Name text={model} />}
          {tokens !== undefined && <span>{counted(allTokens(tokens), 'token')}</span>}
        </p>
      )}
    </>
  );
}
