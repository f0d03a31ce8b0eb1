/**
 * [pure] Turns the parts of an SDK stream into the events of the model port.
 * I1. Metadata of a block, from its start, its pieces and its end, stands in its `block-end`, later members over earlier ones.
 * I2. A call waits until the block that was open before it has ended, so that the block's metadata is not lost.
 * I3. `finish` is given only where the provider said why it ended; anything else is a cut stream.
 * I4. An answer that ends for its calls has some, or a text: providers drop calls that they cannot read.
 */
import type { ModelError, ModelEvent } from '@deepseek-ai/dsh-agent';
import { finishEvent, withoutCalls } from './finish.ts';
import { jsonMetadata, type JsonObject } from './json.ts';
import type { StreamPart } from './spec.ts';
import { wellFormed, wellFormedPieces } from './well-formed.ts';

type CallEvent = Extract<ModelEvent, { readonly type: 'tool-call' }>;

interface OpenBlock {
  readonly id: string;
  readonly kind: 'text' | 'reasoning';
  readonly pieces: ReturnType<typeof wellFormedPieces>;
  readonly metadata: JsonObject | undefined;
  /** A delta of it was given out. */
  readonly begun: boolean;
}

export interface PartReader {
  /** The events that a part brings. Throws a `ModelError` for a part that is a failure. */
  readonly next: (part: StreamPart) => readonly ModelEvent[];
}

/** `warn` hears what a provider could not do as asked; `failure` makes what is thrown of what is streamed as an error. */
export function partReader(
  warn: (message: string) => void,
  failure: (error: unknown) => ModelError,
): PartReader {
  const blocks = blockReader();
  let empty = true;
  const next = (part: StreamPart): readonly ModelEvent[] => {
    if (part.type === 'tool-call' || (part.type === 'text-delta' && part.delta !== '')) empty = false;
    switch (part.type) {
      case 'text-start':
      case 'text-delta':
        return blocks.grow('text', part);
      case 'reasoning-start':
      case 'reasoning-delta':
        return blocks.grow('reasoning', part);
      case 'text-end':
        return blocks.end('text', part);
      case 'reasoning-end':
        return blocks.end('reasoning', part);
      case 'tool-call':
        // A call that the provider ran by itself is not ours to run.
        return part.providerExecuted === true ? [] : blocks.call(callEvent(part));
      case 'stream-start':
        for (const warning of part.warnings) warn(JSON.stringify(warning));
        return [];
      case 'error':
        throw failure(part.error);
      case 'finish':
        if (empty && part.finishReason.unified === 'tool-calls') throw withoutCalls();
        return [...blocks.close(), finishEvent(part)];
      default:
        return [];
    }
  };
  return { next };
}

interface BlockReader {
  readonly grow: (kind: OpenBlock['kind'], part: BlockPart) => readonly ModelEvent[];
  readonly end: (kind: OpenBlock['kind'], part: BlockPart) => readonly ModelEvent[];
  readonly call: (event: CallEvent) => readonly ModelEvent[];
  readonly close: () => readonly ModelEvent[];
}

function blockReader(): BlockReader {
  let open: OpenBlock | undefined;
  let calls: readonly CallEvent[] = [];

  const close = (): readonly ModelEvent[] => {
    const ended = open === undefined ? [] : endOf(open);
    const waited = calls;
    open = undefined;
    calls = [];
    return [...ended, ...waited];
  };
  const grow: BlockReader['grow'] = (kind, part) => {
    const before = open?.id === part.id && open.kind === kind ? [] : close();
    const block = open ?? {
      id: part.id,
      kind,
      pieces: wellFormedPieces(),
      metadata: undefined,
      begun: false,
    };
    const delta = block.pieces.next(part.delta ?? '');
    open = {
      ...block,
      metadata: merged(block.metadata, part.providerMetadata),
      begun: block.begun || delta !== '',
    };
    return delta === '' ? before : [...before, { type: kind, delta }];
  };
  return {
    close,
    grow,
    end(kind, part) {
      const known = open?.id === part.id && open.kind === kind;
      // An end that says nothing of a block that is closed already.
      if (!known && jsonMetadata(part.providerMetadata) === undefined) return [];
      return [...grow(kind, part), ...close()];
    },
    call(event) {
      calls = [...calls, event];
      return open === undefined ? close() : [];
    },
  };
}

interface BlockPart {
  readonly id: string;
  readonly delta?: string;
  readonly providerMetadata?: unknown;
}

function endOf({ kind, pieces, metadata, begun }: OpenBlock): readonly ModelEvent[] {
  const rest = pieces.end();
  if (!begun && rest === '' && metadata === undefined) return [];
  // A block may be nothing but its metadata, such as reasoning that a provider keeps to itself.
  const piece: readonly ModelEvent[] = !begun || rest !== '' ? [{ type: kind, delta: rest }] : [];
  return [...piece, { type: 'block-end', ...(metadata === undefined ? {} : { providerMetadata: metadata }) }];
}

function callEvent(part: Extract<StreamPart, { type: 'tool-call' }>): CallEvent {
  const metadata = jsonMetadata(part.providerMetadata);
  return {
    type: 'tool-call',
    callId: wellFormed(part.toolCallId),
    name: wellFormed(part.toolName),
    input: wellFormed(part.input),
    ...(metadata === undefined ? {} : { providerMetadata: metadata }),
  };
}

/** By provider, then by member: a signature that comes after its text must not push out what came before. */
function merged(before: JsonObject | undefined, more: unknown): JsonObject | undefined {
  const after = jsonMetadata(more);
  if (before === undefined || after === undefined) return after ?? before;
  const providers = Object.entries(after).map(([provider, members]) => [
    provider,
    { ...(before[provider] as JsonObject | undefined), ...(members as JsonObject) },
  ]);
  return { ...before, ...(Object.fromEntries(providers) as JsonObject) };
}
