/** An answer while it is being written. A screen reader hears of it when it is done. */
import type { JSX } from 'react';
import type { PartialAnswer } from '../wire.ts';
import { Reasoning } from './blocks.tsx';
import { Icon } from './icons.tsx';
import { LongText } from './text.tsx';

export function PartialView({ partial }: { readonly partial: PartialAnswer }): JSX.Element {
  const { text, reasoning } = partial;
  return (
    <article
      className="entry entry-assistant partial"
      data-kind="partial"
      aria-label="Answer that is being written"
    >
      <header className="entry-head">
        <Icon name="answer" />
        <strong className="entry-kind">Answer</strong>
        <span className="writing">is being written</span>
      </header>
      {reasoning !== '' && <Reasoning text={reasoning} open={text === ''} />}
      {text !== '' && <LongText text={text} />}
    </article>
  );
}
