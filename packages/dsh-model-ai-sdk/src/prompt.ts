/**
 * [pure] The messages of a request as a prompt of the SDK.
 * I1. What a provider gave as metadata of a block goes back with that block, verbatim (A16).
 * I2. The results of one step stand together, in one message.
 * I3. Every text is well-formed Unicode.
 */
import type {
  LanguageModelV4FilePart,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  LanguageModelV4TextPart,
  LanguageModelV4ToolResultPart,
  SharedV4ProviderOptions,
} from '@ai-sdk/provider';
import type {
  AssistantMessage,
  ContentBlock,
  ContentBlockMap,
  Message,
  ModelRequest,
} from '@deepseek-ai/dsh-agent';
import type { ToolResultMessage } from '@deepseek-ai/dsh-agent';
import type { JsonObject } from './json.ts';
import { wellFormed, wellFormedJson } from './well-formed.ts';

type UserPart = LanguageModelV4TextPart | LanguageModelV4FilePart;
type AssistantPart = Extract<LanguageModelV4Message, { role: 'assistant' }>['content'][number];
type ResultOutput = LanguageModelV4ToolResultPart['output'];

/** `cacheHint` marks the system prompt and the newest message as ends of a prefix that is worth caching. */
export function promptOf(
  request: ModelRequest,
  cacheHint: SharedV4ProviderOptions | undefined,
): LanguageModelV4Prompt {
  const system: LanguageModelV4Prompt =
    request.system === undefined ? [] : [{ role: 'system', content: wellFormed(request.system) }];
  const prompt = [...system, ...conversation(request.messages)];
  if (cacheHint === undefined) return prompt;
  return prompt.map((message, index) =>
    message.role === 'system' || index === prompt.length - 1
      ? { ...message, providerOptions: cacheHint }
      : message,
  );
}

function conversation(messages: readonly Message[]): LanguageModelV4Prompt {
  const prompt: LanguageModelV4Prompt = [];
  let results: LanguageModelV4ToolResultPart[] | undefined;
  for (const message of messages) {
    if (message.role === 'tool') {
      if (results === undefined) prompt.push({ role: 'tool', content: (results = []) });
      results.push(resultPart(message));
      continue;
    }
    results = undefined;
    const content = message.role === 'user' ? message.content.flatMap(userParts) : assistantParts(message);
    // Providers refuse messages without content.
    if (content.length > 0) prompt.push({ role: message.role, content } as LanguageModelV4Message);
  }
  return prompt;
}

function userParts(block: ContentBlock): readonly UserPart[] {
  switch (block.type) {
    case 'text':
      return block.text === '' ? [] : [textPart(block)];
    case 'image':
      return [{ type: 'file', mediaType: block.mediaType, data: { type: 'data', data: block.data } }];
    case 'tool-result':
      return block.content.flatMap(userParts);
    default:
      return [];
  }
}

function assistantParts({ content, interrupted }: AssistantMessage): readonly AssistantPart[] {
  const parts = content.flatMap(assistantPart);
  // Providers refuse an answer of nothing but reasoning; whole ones are kept, since they came that way.
  return interrupted === true && parts.every(({ type }) => type === 'reasoning') ? [] : parts;
}

function assistantPart(block: ContentBlock): readonly AssistantPart[] {
  switch (block.type) {
    case 'text':
      return block.text === '' && block.providerMetadata === undefined ? [] : [textPart(block)];
    case 'reasoning':
      return [{ type: 'reasoning', text: wellFormed(block.text), ...withOptions(block.providerMetadata) }];
    case 'tool-call':
      return [
        {
          type: 'tool-call',
          toolCallId: wellFormed(block.callId),
          toolName: wellFormed(block.name),
          // Malformed arguments are a text, and providers wrap it as they need it.
          input: wellFormedJson(block.input),
          ...withOptions(block.providerMetadata),
        },
      ];
    default:
      return [];
  }
}

function resultPart({ callId, name, content, outcome }: ToolResultMessage): LanguageModelV4ToolResultPart {
  return {
    type: 'tool-result',
    toolCallId: wellFormed(callId),
    toolName: wellFormed(name),
    output: resultOutput(content.flatMap(userParts), outcome === 'ok'),
  };
}

function resultOutput(parts: readonly UserPart[], ok: boolean): ResultOutput {
  const texts = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  if (texts.length === parts.length) return { type: ok ? 'text' : 'error-text', value: texts.join('\n') };
  return {
    type: 'content',
    value: parts.map((part) =>
      part.type === 'text'
        ? { type: 'text', text: part.text }
        : { type: 'file', mediaType: part.mediaType, data: part.data },
    ),
  };
}

function textPart({ text, providerMetadata }: ContentBlockMap['text']): LanguageModelV4TextPart {
  return { type: 'text', text: wellFormed(text), ...withOptions(providerMetadata) };
}

/** A log holds frozen objects; providers may keep and change what they get. */
function withOptions(metadata: JsonObject | undefined): { providerOptions?: SharedV4ProviderOptions } {
  return metadata === undefined
    ? {}
    : { providerOptions: structuredClone(metadata) as SharedV4ProviderOptions };
}
