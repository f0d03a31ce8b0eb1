/**
 * [pure] Puts an assistant message together from what a model streams.
 * I1. Deltas of one kind that follow each other are one block; `block-end` or a piece of another kind closes it.
 * I2. After `finish` nothing is added.
 */
import {
  freezeJson,
  type AssistantMessage,
  type ContentBlock,
  type FinishReason,
  type JsonObject,
  type JsonValue,
  type MessageId,
  type ToolCallBlock,
  type Usage,
} from '@deepseek-ai/dsh-session';
import type { ModelEvent } from './model.ts';

type FinishEvent = Extract<ModelEvent, { readonly type: 'finish' }>;
type CallEvent = Extract<ModelEvent, { readonly type: 'tool-call' }>;

export interface AnswerDraft {
  /** `finish` has come: the answer is complete. */
  readonly finished: boolean;
  add(event: ModelEvent): void;
  /** The whole answer; nothing before `finish`. */
  message(id: MessageId, model: string): AssistantMessage | undefined;
  /** What had arrived of an answer that was cut off, without calls; nothing where there is no text (A15). */
  partial(id: MessageId, model: string): AssistantMessage | undefined;
}

interface OpenBlock {
  readonly type: 'text' | 'reasoning';
  text: string;
}

export function createAnswer(): AnswerDraft {
  return new Draft();
}

class Draft implements AnswerDraft {
  readonly #blocks: ContentBlock[] = [];
  #open: OpenBlock | undefined;
  #finish: FinishEvent | undefined;

  get finished(): boolean {
    return this.#finish !== undefined;
  }

  add(event: ModelEvent): void {
    if (this.finished) return;
    switch (event.type) {
      case 'text':
      case 'reasoning':
        this.#grow(event.type, event.delta);
        return;
      case 'block-end':
        this.#close(event.providerMetadata);
        return;
      case 'tool-call':
        this.#close();
        this.#blocks.push(callBlock(event, this.#blocks));
        return;
      case 'finish':
        this.#close();
        this.#finish = event;
    }
  }

  message(id: MessageId, model: string): AssistantMessage | undefined {
    const finish = this.#finish;
    return finish && assistantMessage({ id, model, content: [...this.#blocks], ...finishData(finish) });
  }

  partial(id: MessageId, model: string): AssistantMessage | undefined {
    const open = this.#open;
    const text: ContentBlock[] =
      open?.type === 'text' && open.text !== '' ? [{ type: 'text', text: open.text }] : [];
    // A reasoning block that is still open lacks what its provider wants back with it.
    const content = [...this.#blocks.filter(({ type }) => type !== 'tool-call'), ...text];
    if (!content.some((block) => block.type === 'text' && block.text !== '')) return undefined;
    return assistantMessage({ id, model, content, finish: 'other', interrupted: true });
  }

  #close(providerMetadata?: JsonObject): void {
    if (this.#open === undefined) return;
    const { type, text } = this.#open;
    this.#open = undefined;
    if (text === '' && providerMetadata === undefined) return;
    this.#blocks.push({ type, text, ...(providerMetadata === undefined ? {} : { providerMetadata }) });
  }

  #grow(type: OpenBlock['type'], delta: string): void {
    if (this.#open?.type === type) {
      this.#open.text += delta;
      return;
    }
    this.#close();
    this.#open = { type, text: delta };
  }
}

function assistantMessage(parts: Omit<AssistantMessage, 'role'>): AssistantMessage {
  const { id, ...rest } = parts;
  return { id, role: 'assistant', ...rest };
}

function finishData(event: FinishEvent): {
  finish: FinishReason;
  usage?: Usage;
  providerMetadata?: JsonObject;
} {
  const { reason, usage, providerMetadata } = event;
  return {
    finish: reason,
    ...(usage === undefined ? {} : { usage: withoutUndefined(usage) }),
    ...(providerMetadata === undefined ? {} : { providerMetadata }),
  };
}

/** A member that is undefined is one that is not there: no reason to lose an answer. */
function withoutUndefined(usage: Usage): Usage {
  return Object.fromEntries(
    Object.entries(usage).filter(([, value]) => value !== undefined),
  ) as unknown as Usage;
}

function callBlock(event: CallEvent, before: readonly ContentBlock[]): ToolCallBlock {
  const { name, input, providerMetadata } = event;
  return {
    type: 'tool-call',
    callId: freeCallId(event.callId, before),
    name,
    ...parsedInput(input),
    ...(providerMetadata === undefined ? {} : { providerMetadata }),
  };
}

/** Some servers number calls badly; a result must name one call. */
function freeCallId(callId: string, before: readonly ContentBlock[]): string {
  const taken = new Set(before.map((block) => (block.type === 'tool-call' ? block.callId : '')));
  taken.add('');
  let id = callId;
  for (let count = 2; taken.has(id); count += 1) id = `${callId === '' ? 'call' : callId}-${count}`;
  return id;
}

function parsedInput(text: string): { input: JsonValue; malformed?: true } {
  if (text.trim() === '') return { input: {} };
  try {
    return { input: freezeJson(JSON.parse(text, withoutMinusZero) as JsonValue) };
  } catch {
    return { input: text, malformed: true };
  }
}

/** JSON can write it and would not keep it. */
function withoutMinusZero(_key: string, value: unknown): unknown {
  return value === 0 ? 0 : value;
}

/** The calls that an answer asks for. */
export function callsOf(message: AssistantMessage): readonly ToolCallBlock[] {
  return message.content.filter((block) => block.type === 'tool-call');
}
