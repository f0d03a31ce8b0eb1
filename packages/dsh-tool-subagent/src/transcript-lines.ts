/** [pure] A page of a transcript as text for a model. */
import type { ContentBlock } from '@deepseek-ai/dsh-agent';
import type { TranscriptPage } from '@deepseek-ai/dsh-subagents';
import { cutText } from './wording.ts';

type TranscriptRecord = TranscriptPage['records'][number];
type ShownEvent = Extract<TranscriptRecord, { readonly kind: 'event' }>['event'];

const longest = { onAPage: 4_000, alone: 100_000 };

/** One entry per record that says something; its first line begins with the place of the record. */
export function transcriptLines(
  records: readonly TranscriptRecord[],
  { alone }: { readonly alone: boolean },
): readonly string[] {
  return records.flatMap((record) => {
    switch (record.kind) {
      case 'event': {
        const { seq } = record.event;
        const said = eventText(record.event, (text) =>
          alone ? shorten(text, longest.alone, undefined) : shorten(text, longest.onAPage, seq),
        );
        return said === undefined ? [] : [`[${record.event.seq}] ${said}`];
      }
      case 'damaged':
        return [`[${record.seq ?? '?'}] (damaged: ${record.reason})`];
      case 'unknown':
        return [];
    }
  });
}

function eventText(event: ShownEvent, shown: (text: string) => string): string | undefined {
  switch (event.type) {
    case 'user/message':
      return `${event.data.source.kind}: ${shown(contentText(event.data.content))}`;
    case 'assistant/message':
      return `answer: ${shown(contentText(event.data.content))}`;
    case 'tool/result':
      return `result of ${event.data.name} (${event.data.outcome}): ${shown(contentText(event.data.content))}`;
    case 'turn/end':
      return `turn ended: ${event.data.reason.kind}`;
    default:
      return undefined;
  }
}

function contentText(content: readonly ContentBlock[]): string {
  return content
    .map(blockText)
    .filter((text) => text !== '')
    .join('\n');
}

function blockText(block: ContentBlock): string {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'tool-call':
      return `(calls ${block.name} with ${JSON.stringify(block.input)})`;
    case 'tool-result':
      return contentText(block.content);
    case 'image':
      return '(an image)';
    case 'reasoning':
      return '';
    default:
      return '';
  }
}

/** Half of a surrogate pair at the cut is left out. */
function shorten(text: string, most: number, at: number | undefined): string {
  if (text.length <= most) return text;
  const cut = text.slice(0, most).replace(/[\ud800-\udbff]$/, '');
  return `${cut}${cutText(text.length - cut.length, at)}`;
}
