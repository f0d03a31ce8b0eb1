/** [pure] Checks and copies what a caller hands over as a message. */
import {
  contentProblem,
  freezeJson,
  type ContentBlock,
  type MessageId,
  type UserMessage,
} from '@deepseek-ai/dsh-session';
import type { MessageInput } from './agent.ts';
import { AgentError, agentError } from './errors.ts';
import { messageOf } from './thrown.ts';

/** A frozen message of its own. Throws `INVALID_MESSAGE`, whatever the input is. */
export function readMessage(input: MessageInput, newId: () => MessageId): UserMessage {
  try {
    return checkedMessage(input, newId);
  } catch (cause) {
    throw AgentError.is(cause) ? cause : refused(messageOf(cause), cause);
  }
}

function checkedMessage(input: MessageInput, newId: () => MessageId): UserMessage {
  if (typeof (input as unknown) !== 'object' || (input as unknown) === null) throw refused('it is no object');
  const { id: given, content, source } = input as { id?: unknown; content: unknown; source: unknown };
  const id: unknown = given === undefined ? newId() : given;
  if (typeof id !== 'string' || id === '') throw refused('its id is no text');
  if (!isTagged(source, 'kind')) throw refused('its source has no kind');
  const message = freezeJson<UserMessage>({
    id: id as MessageId,
    role: 'user',
    content: blocksOf(content),
    source: source as UserMessage['source'],
  });
  const problem = message.content.length === 0 ? 'it is empty' : contentProblem(message.content, 'user');
  if (problem !== undefined) throw refused(problem);
  return message;
}

/** A text is one block. What is no text is given back as it is, to be checked. */
export function blocksOf(content: unknown): readonly ContentBlock[] {
  return typeof content === 'string'
    ? [{ type: 'text', text: content }]
    : (content as readonly ContentBlock[]);
}

function isTagged(value: unknown, tag: string): boolean {
  return (
    typeof value === 'object' && value !== null && typeof (value as Record<string, unknown>)[tag] === 'string'
  );
}

function refused(why: string, cause?: unknown): Error {
  return agentError('INVALID_MESSAGE', `message not accepted: ${why}`, cause === undefined ? {} : { cause });
}

/** Settlement notices and what a person writes are taken even by a full inbox (A8). */
export function isExempt({ source }: UserMessage): boolean {
  const { kind, form } = source as { readonly kind: string; readonly form?: unknown };
  return kind === 'user' || form === 'notice';
}

/** The size of a message as UTF-8 JSON. */
export function messageBytes(message: UserMessage): number {
  const text = JSON.stringify(message);
  let bytes = text.length;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    // Lone surrogates are escaped by then, so each half of a pair stands for two of its four bytes.
    if (unit > 0x7f) bytes += unit > 0x7ff && (unit < 0xd800 || unit > 0xdfff) ? 2 : 1;
  }
  return bytes;
}
