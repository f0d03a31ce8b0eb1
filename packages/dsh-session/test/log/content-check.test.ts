import { describe, expect, it } from 'vitest';
import { contentProblem } from '../../src/index.ts';

describe('content that is accepted, logged and read back', () => {
  it.each([
    ['a text', [{ type: 'text', text: 'x' }], 'user'],
    ['nothing', [], 'assistant'],
    ['a type that a program has added', [{ type: 'chart', points: [1] }], 'user'],
    ['a call of an assistant', [{ type: 'tool-call', callId: 'c', name: 'n', input: null }], 'assistant'],
    ['an image in a result', [{ type: 'image', mediaType: 'image/png', data: '' }], 'tool'],
  ] as const)('takes %s [S10]', (_name, content, role) => {
    expect(contentProblem(content, role)).toBeUndefined();
  });

  it.each([
    ['no list', 'text', 'user', 'content is no array'],
    ['no object', [null], 'user', 'a content block is no object'],
    ['a type that is none', [{ type: 5 }], 'user', "a content block's type is no string"],
    ['a text without text', [{ type: 'text' }], 'user', "a text block's text is no string"],
    ['a number for text', [{ type: 'text', text: 5 }], 'assistant', "a text block's text is no string"],
    ['an image without bytes', [{ type: 'image', mediaType: 'a/b' }], 'user', "an image's data is no string"],
    ['reasoning without text', [{ type: 'reasoning' }], 'assistant', "a reasoning block's text is no string"],
    [
      'a call without input',
      [{ type: 'tool-call', callId: 'c', name: 'n' }],
      'assistant',
      "a call's input is missing",
    ],
    ['a call of a user', [{ type: 'tool-call' }], 'user', 'a tool call is no content of role user'],
    ['a result of a user', [{ type: 'tool-result' }], 'user', 'a tool result is no content of role user'],
    [
      'a result around no content',
      [{ type: 'tool-result', callId: 'c', content: 5 }],
      'tool',
      'content is no array',
    ],
  ] as const)('refuses %s [S10]', (_name, content, role, problem) => {
    expect(contentProblem(content, role)).toBe(problem);
  });
});
