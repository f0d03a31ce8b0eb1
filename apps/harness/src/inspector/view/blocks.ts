/** [pure] Content for the page: each block with its kind, and every text bounded. */
import type { ContentBlock, JsonValue } from '@deepseek-ai/dsh-session';
import type { Block, Piece } from '../protocol.ts';

/** The longest text of one block, in UTF-16 units. The export has all of it. */
export const longestText = 65_536;
/** The largest image that is shown, in characters of base64. */
const largestImage = 1_048_576;
/** What a cut leaves of a surrogate pair. */
const halfPair = /[\ud800-\udbff]$/;

function piece(text: string, longest: number = longestText): Piece {
  if (text.length <= longest) return { text };
  const kept = text.slice(0, longest).replace(halfPair, '');
  return { text: kept, cut: text.length - kept.length };
}

/** As JSON, bounded. */
export function jsonPiece(value: JsonValue): Piece {
  return piece(JSON.stringify(value));
}

export function blocksOf(content: readonly ContentBlock[]): readonly Block[] {
  return content.flatMap(blockOf);
}

function blockOf(block: ContentBlock): Block | readonly Block[] {
  switch (block.type) {
    case 'text':
      return { kind: 'text', ...piece(block.text) };
    case 'reasoning':
      return { kind: 'reasoning', ...piece(block.text) };
    case 'tool-call': {
      const { callId, name, input, malformed } = block;
      const text = malformed === true && typeof input === 'string' ? piece(input) : jsonPiece(input);
      return { kind: 'tool-call', callId, name, input: text, ...(malformed === true ? { malformed } : {}) };
    }
    case 'image': {
      const { mediaType, data } = block;
      const bytes = Math.floor((data.length * 3) / 4);
      return { kind: 'image', mediaType, bytes, ...(data.length > largestImage ? {} : { data }) };
    }
    case 'tool-result':
      return blocksOf(block.content);
    default:
      return other(block);
  }
}

/** A newer program may have written kinds of blocks that this one does not know. */
function other(block: unknown): Block {
  const { type } = block as { readonly type?: unknown };
  return { kind: 'other', type: String(type), json: jsonPiece(block as JsonValue) };
}

/** The words of a message, in one line and cut: for lists and for the flow. */
export function firstWords(content: readonly ContentBlock[], longest: number): string {
  for (const block of content) {
    if (block.type !== 'text') continue;
    const line = block.text
      .slice(0, longest * 4)
      .replaceAll(/\s+/g, ' ')
      .trim();
    if (line === '') continue;
    return line.length <= longest ? line : `${line.slice(0, longest).replace(halfPair, '')}…`;
  }
  return '';
}
