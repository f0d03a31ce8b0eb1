/** What a model has called a tool with. */
import type { JSX } from 'react';
import type { Block } from '../wire.ts';
import { indentedJson } from '../state/indented-json.ts';
import { Icon } from './icons.tsx';
import { LongText, Name } from './text.tsx';

export function ToolCall({ call }: { readonly call: Extract<Block, { kind: 'tool-call' }> }): JSX.Element {
  const { name, input, malformed } = call;
  return (
    <div className="tool-call">
      <p className="tool-head">
        <Icon name="call" />
        <strong className="entry-kind">Tool call</strong>
        <code>
          <Name text={name} />
        </code>
        {malformed === true && <span className="warn-mark">no valid JSON</span>}
      </p>
      <LongText text={malformed === true ? input.text : indentedJson(input.text)} cut={input.cut} code />
    </div>
  );
}
