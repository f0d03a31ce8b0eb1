/** [pure] Where a text is found. */
import type { Block, SearchHit, TranscriptEntry } from '../protocol.ts';

const around = 80;

/** `wanted` in small letters. Nothing where it is not there. */
export function excerptOf(
  text: string,
  wanted: string,
): Pick<SearchHit, 'excerpt' | 'at' | 'length'> | undefined {
  const small = text.toLowerCase();
  const found = small.indexOf(wanted);
  if (found < 0) return undefined;
  // A few letters become longer when they are made small; then the place is only nearly right.
  const at = Math.min(found, text.length);
  const start = Math.max(0, at - around);
  const excerpt = text.slice(start, at + wanted.length + around);
  return { excerpt, at: at - start, length: Math.min(wanted.length, excerpt.length - (at - start)) };
}

/** What of an entry people may look for. */
export function textsOf(entry: TranscriptEntry): readonly string[] {
  switch (entry.kind) {
    case 'message':
    case 'assistant':
    case 'tool-result':
      return entry.blocks.map(textOf);
    case 'turn-end':
      return entry.detail === undefined ? [] : [entry.detail];
    case 'unknown':
      return [entry.json.text];
    case 'damaged':
      return [entry.reason];
    default:
      return [];
  }
}

function textOf(block: Block): string {
  switch (block.kind) {
    case 'text':
    case 'reasoning':
      return block.text;
    case 'tool-call':
      return `${block.name} ${block.input.text}`;
    default:
      return '';
  }
}
