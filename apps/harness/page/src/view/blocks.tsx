/** What a message or a result is made of. */
import type { JSX } from 'react';
import { bytes } from '../state/format.ts';
import type { Block } from '../wire.ts';
import { ToolCall } from './tool-call.tsx';
import { LongText, Name } from './text.tsx';

interface BlocksProps {
  readonly blocks: readonly Block[];
  /** Texts are the output of a program. */
  readonly code?: boolean;
}

export function Blocks({ blocks, code = false }: BlocksProps): JSX.Element {
  if (blocks.length === 0) return <p className="hint">empty</p>;
  return (
    <>
      {blocks.map((block, at) => (
        <BlockView key={at} block={block} code={code} />
      ))}
    </>
  );
}

export function BlockView({
  block,
  code = false,
}: {
  readonly block: Block;
  readonly code?: boolean;
}): JSX.Element {
  switch (block.kind) {
    case 'text':
      return <LongText text={block.text} cut={block.cut} code={code} />;
    case 'reasoning':
      return <Reasoning text={block.text} cut={block.cut} />;
    case 'tool-call':
      return <ToolCall call={block} />;
    case 'image':
      return <Image block={block} />;
    case 'other':
      return (
        <details className="structured">
          <summary>
            A block of the type <Name text={block.type} />
          </summary>
          <LongText {...block.json} code />
        </details>
      );
  }
}

export function Reasoning({
  text,
  cut,
  open = false,
}: {
  readonly text: string;
  readonly cut?: number | undefined;
  readonly open?: boolean;
}): JSX.Element {
  const first = text.trimStart().split('\n', 1)[0] ?? '';
  return (
    <details className="reasoning" open={open}>
      <summary>
        <strong>Reasoning</strong>{' '}
        <span className="reasoning-start">
          <Name text={first} most={90} />
        </span>
      </summary>
      <LongText text={text} cut={cut} />
    </details>
  );
}

/** Only pictures that can hold no program. */
const pictures = /^image\/(?:png|jpeg|gif|webp)$/;

function Image({ block }: { readonly block: Extract<Block, { kind: 'image' }> }): JSX.Element {
  const { mediaType, data } = block;
  const size = bytes(block.bytes);
  if (data === undefined || !pictures.test(mediaType)) {
    return (
      <p className="hint">
        An image, <Name text={mediaType} />, {size}. It is not shown here.
      </p>
    );
  }
  return (
    <img
      className="picture"
      src={`data:${mediaType};base64,${data}`}
      alt={`An image, ${mediaType}, ${size}`}
    />
  );
}
