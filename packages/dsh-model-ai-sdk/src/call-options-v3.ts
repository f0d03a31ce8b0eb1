/** [pure] The options of a call for providers of specification version 3: files have another form there. */
import type {
  LanguageModelV3CallOptions,
  LanguageModelV3FilePart,
  LanguageModelV3Message,
  LanguageModelV3ToolResultPart,
  LanguageModelV4CallOptions,
  LanguageModelV4FilePart,
  LanguageModelV4Message,
  LanguageModelV4ToolResultPart,
} from '@ai-sdk/provider';

type ContentPart = Exclude<LanguageModelV4Message['content'], string>[number];
type V3Content = Extract<LanguageModelV3ToolResultPart['output'], { type: 'content' }>['value'];

export function callOptionsV3(options: LanguageModelV4CallOptions): LanguageModelV3CallOptions {
  const { prompt, ...rest } = options;
  // `reasoning` does not exist there: a strict provider would send it on.
  delete rest.reasoning;
  return { ...rest, prompt: prompt.map(messageV3) };
}

function messageV3(message: LanguageModelV4Message): LanguageModelV3Message {
  if (message.role === 'system') return message;
  const content = (message.content as readonly ContentPart[]).map((part) => {
    if (part.type === 'file') return filePartV3(part);
    return part.type === 'tool-result' ? resultPartV3(part) : part;
  });
  return { ...message, content } as LanguageModelV3Message;
}

function filePartV3(part: LanguageModelV4FilePart): LanguageModelV3FilePart {
  return { ...part, data: bytesOf(part) };
}

function resultPartV3(part: LanguageModelV4ToolResultPart): LanguageModelV3ToolResultPart {
  if (part.output.type !== 'content') return part as LanguageModelV3ToolResultPart;
  const value = part.output.value.flatMap((item): V3Content => {
    if (item.type === 'text') return [{ type: 'text', text: item.text }];
    return item.type === 'file'
      ? [{ type: 'image-data', mediaType: item.mediaType, data: bytesOf(item) }]
      : [];
  });
  return { ...part, output: { type: 'content', value } };
}

/** This package makes no files but of base64 text. */
function bytesOf({ data }: Pick<LanguageModelV4FilePart, 'data'>): string {
  return data.type === 'data' && typeof data.data === 'string' ? data.data : '';
}
