/** What a model answered: its text, its reasoning, and the tools that it called. */
import type { JSX } from 'react';
import { allTokens, count } from '../state/format.ts';
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
      {tokens !== undefined && allTokens(tokens) > 0 && (
        <p className="entry-foot">
          <span>
            {count(tokens.input)} tokens in, {count(tokens.output)} out
          </span>
          {model !== undefined && <Name text={model} />}
        </p>
      )}
    </>
  );
}
