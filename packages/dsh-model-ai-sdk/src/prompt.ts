/**
 * [pure] The messages of a request as a prompt of the SDK.
 * I1. What a provider gave as metadata of a block goes back with that block, verbatim (A16).
 * I2. The results of one step stand together, in one message.
 * I3. Every text is well-formed Unicode.
 * I4. Nothing that a provider refuses for its form stands in the prompt: one such block would end every later turn.
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
import { spellingFor, type Spelling } from './spelling.ts';
import { wellFormed, wellFormedJson } from './well-formed.ts';

type UserPart = LanguageModelV4TextPart | LanguageModelV4FilePart;
type AssistantPart = Extract<LanguageModelV4Message, { role: 'assistant' }>['content'][number];
type ResultOutput = LanguageModelV4ToolResultPart['output'];

/**
 * `cacheHint` marks the system prompt and the newest message as ends of a prefix that is worth caching; `plainIds` is of
 * the spelling.
 */
export function promptOf(
  request: ModelRequest,
  cacheHint: SharedV4ProviderOptions | undefined,
  plainIds: boolean,
): LanguageModelV4Prompt {
  const system: LanguageModelV4Prompt =
    request.system === undefined ? [] : [{ role: 'system', content: wellFormed(request.system) }];
  const spelling = spellingFor(request.tools, plainIds);
  const prompt = [...system, ...conversation(request.messages, spelling)];
  if (cacheHint === undefined) return prompt;
  return prompt.map((message, index) =>
    message.role === 'system' || index === prompt.length - 1
      ? { ...message, providerOptions: cacheHint }
      : message,
  );
}

function conversation(messages: readonly Message[], spelling: Spelling): LanguageModelV4Prompt {
  const prompt: LanguageModelV4Prompt = [];
  let results: LanguageModelV4ToolResultPart[] | undefined;
  for (const message of messages) {
    if (message.role === 'tool') {
      if (results === undefined) prompt.push({ role: 'tool', content: (results = []) });
      results.push(resultPart(message, spelling));
      continue;
    }
    results = undefined;
    const content =
      message.role === 'user' ? message.content.flatMap(userParts) : assistantParts(message, spelling);
    // Providers refuse messages without content.
    if (content.length > 0) prompt.push({ role: message.role, content } as LanguageModelV4Message);
  }
  return prompt;
}

function userParts(block: ContentBlock): readonly UserPart[] {
  switch (block.type) {
    case 'text':
      return isBlank(block.text) ? [] : [textPart(block)];
    case 'image':
      return [{ type: 'file', mediaType: block.mediaType, data: { type: 'data', data: block.data } }];
    case 'tool-result':
      return block.content.flatMap(userParts);
    default:
      return [];
  }
}

function assistantParts(
  { content, interrupted }: AssistantMessage,
  spelling: Spelling,
): readonly AssistantPart[] {
  const parts = content.flatMap((block) => assistantPart(block, spelling));
  // Providers refuse an answer of nothing but reasoning; whole ones are kept, since they came that way.
  return interrupted === true && parts.every(({ type }) => type === 'reasoning') ? [] : parts;
}

function assistantPart(block: ContentBlock, spelling: Spelling): readonly AssistantPart[] {
  switch (block.type) {
    case 'text':
      return isBlank(block.text) && block.providerMetadata === undefined ? [] : [textPart(block)];
    case 'reasoning':
      return [{ type: 'reasoning', text: wellFormed(block.text), ...withOptions(block.providerMetadata) }];
    case 'tool-call':
      return [
        {
          type: 'tool-call',
          toolCallId: wellFormed(spelling.callId(block.callId)),
          toolName: wellFormed(spelling.name(block.name)),
          // Malformed arguments are a text, and providers wrap it as they need it.
          input: wellFormedJson(block.input),
          ...withOptions(block.providerMetadata),
        },
      ];
    default:
      return [];
  }
}

function resultPart(
  { callId, name, content, outcome }: ToolResultMessage,
  spelling: Spelling,
): LanguageModelV4ToolResultPart {
  return {
    type: 'tool-result',
    toolCallId: wellFormed(spelling.callId(callId)),
    toolName: wellFormed(spelling.name(name)),
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

/** Anthropic refuses texts of white space alone, which other models like to write before a call. */
function isBlank(text: string): boolean {
  return text.trim() === '';
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
