import { newMessageId } from '@deepseek-ai/dsh-session';
import { describe, expect, it } from 'vitest';
import type { MessageInput } from '../src/agent.ts';
import { messageBytes, readMessage } from '../src/message-input.ts';
import { openWorld } from './agent-world.ts';

const person = { kind: 'user' };
const message = { content: 'x', source: person };
const refused: unknown = expect.objectContaining({ code: 'INVALID_MESSAGE' });
const closed = Proxy.revocable({}, {});
closed.revoke();
const fail = (): never => {
  throw new Error('not to be read');
};
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
    ['nothing', undefined],
    ['null', null],
    ['a text', 'x'],
    [
      'a member that throws',
      {
        ...message,
        get content() {
          return fail();
        },
      },
    ],
    [
      'an id that throws',
      {
        ...message,
        get id() {
          return fail();
        },
      },
    ],
    [
      'a source that throws',
      {
        content: 'x',
        source: {
          get kind() {
            return fail();
          },
        },
      },
    ],
    ['what cannot be looked at', closed.proxy],
  ])('can be logged and shown to a model: %s is refused [A1]', async (_name, input) => {
    const { agent } = await (await openWorld()).registry.create({ start: 'held' });
    expect(() => read(input)).toThrow(refused);
    expect(() => agent.steer(input as MessageInput)).toThrow(refused);
    expect(agent.inbox.list()).toEqual([]);
  });

  it.each([
    ['ASCII', 'pears'],
    ['two bytes each', 'zażółć'],
    ['three bytes each', '梨は熟した'],
    ['the last of three bytes, past the surrogates', '\uE000\uFFFD'],
    ['four bytes each', '🍐🍐'],
    ['half a pair', '\uD83C ripe \uDF50'],
    ['line breaks and quotes', '"a"\n\u2028'],
  ])('is as large as it is as UTF-8 JSON: %s [A8]', (_name, text) => {
    const copy = read({ content: text, source: person });
    expect(messageBytes(copy)).toBe(new TextEncoder().encode(JSON.stringify(copy)).length);
  });

  it('is a frozen copy, and a text is one block [A1]', () => {
    const copy = read(message);
    expect(copy.content).toEqual([{ type: 'text', text: 'x' }]);
    expect(Object.isFrozen(copy.content[0])).toBe(true);
  });

  it.each(['', 5, undefined])(
    'has an id of its own, and a maker of ids that gives %s is none [A1]',
    async (made) => {
      const { registry } = await openWorld({ newId: () => made as string });
      const { agent } = await registry.create({ start: 'held' });
      expect(() => agent.followup(message as MessageInput)).toThrow(refused);
      expect(agent.inbox.list()).toEqual([]);
    },
  );

  it('is not taken for another one because the maker of ids repeats itself [A1]', async () => {
    const { registry } = await openWorld({ newId: () => 'same' });
    const { agent } = await registry.create({ start: 'held' });
    agent.followup(message as MessageInput);
    expect(() => agent.followup(message as MessageInput)).toThrow(refused);
    expect(agent.inbox.list()).toHaveLength(1);
  });
});
