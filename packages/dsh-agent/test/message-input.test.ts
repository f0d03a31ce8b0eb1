import { newMessageId } from '@deepseek-ai/dsh-session';
import { describe, expect, it } from 'vitest';
import type { MessageInput } from '../src/agent.ts';
import { readMessage } from '../src/message-input.ts';

const person = { kind: 'user' };
const read = (input: unknown) => readMessage(input as MessageInput, newMessageId);

describe('a message that is accepted', () => {
  it.each([
    ['a text without text', { content: [{ type: 'text' }], source: person }],
    ['a number for text', { content: [{ type: 'text', text: 5 }], source: person }],
    ['an image without bytes', { content: [{ type: 'image' }], source: person }],
    ['a tool call', { content: [{ type: 'tool-call' }], source: person }],
    ['a result', { content: [{ type: 'tool-result', content: 'nope' }], source: person }],
    ['no content', { content: [], source: person }],
    ['no list', { content: 5, source: person }],
    ['no object', { content: [null], source: person }],
    ['no source', { content: 'x' }],
    ['an id that is none', { content: 'x', source: person, id: '' }],
  ])('can be logged and shown to a model: %s is refused [A1]', (_name, input) => {
    expect(() => read(input)).toThrow(expect.objectContaining({ code: 'INVALID_MESSAGE' }));
  });

  it('is a frozen copy, and a text is one block [A1]', () => {
    const message = read({ content: 'x', source: person });
    expect(message.content).toEqual([{ type: 'text', text: 'x' }]);
    expect(Object.isFrozen(message.content[0])).toBe(true);
  });
});
