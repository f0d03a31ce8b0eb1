/** [pure] A page of a transcript as text for a model. */
import type { ContentBlock } from '@deepseek-ai/dsh-agent';
import type { TranscriptPage } from '@deepseek-ai/dsh-subagents';

type TranscriptRecord = TranscriptPage['records'][number];
type ShownEvent = Extract<TranscriptRecord, { readonly kind: 'event' }>['event'];

const longest = 4000;

/** One entry per record that says something; its first line begins with the place of the record. */
export function transcriptLines(records: readonly TranscriptRecord[]): readonly string[] {
  return records.flatMap((record) => {
    switch (record.kind) {
      case 'event': {
        const said = eventText(record.event);
        return said === undefined ? [] : [`[${record.event.seq}] ${said}`];
      }
      case 'damaged':
        return [`[${record.seq ?? '?'}] (damaged: ${record.reason})`];
      case 'unknown':
        return [];
    }
  });
}

function eventText(event: ShownEvent): string | undefined {
  switch (event.type) {
    case 'user/message':
      return `${event.data.source.kind}: ${shorten(contentText(event.data.content))}`;
    case 'assistant/message':
      return `answer: ${shorten(contentText(event.data.content))}`;
    case 'tool/result':
      return `result of ${event.data.name} (${event.data.outcome}): ${shorten(contentText(event.data.content))}`;
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
function shorten(text: string): string {
  if (text.length <= longest) return text;
  const cut = text.slice(0, longest).replace(/[\ud800-\udbff]$/, '');
  return `${cut}… (${text.length - cut.length} more characters)`;
}
