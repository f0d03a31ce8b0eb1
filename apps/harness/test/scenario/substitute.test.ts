import type { Message } from '@deepseek-ai/dsh-session';
import { describe, expect, it } from 'vitest';
import { substitute } from '../../src/scenario/substitute.ts';
import { taskOf } from '../../src/scenario/task-of.ts';

const ids = {
  parent: 'P',
  self: 'S',
  child: (label: string) => ({ pears: 'C', 'the pears': 'D', 'a.b': 'E' })[label],
};

describe('references in a script', () => {
  const cases: readonly [given: unknown, wanted: unknown][] = [
    ['$parent', 'P'],
    ['$self', 'S'],
    ['$child:pears', 'C'],
    ['$child:the pears', 'D'],
    ['to $parent, $child:pears and $child:a.b.', 'to P, C and E.'],
    [
      { a: ['$parent', 1, null, true], b: { c: '$self' } },
      { a: ['P', 1, null, true], b: { c: 'S' } },
    ],
    ['5 $', '5 $'],
  ];
  it.each(cases)('%j becomes %j [H11]', (given, wanted) => {
    expect(substitute(given as string, ids)).toEqual(wanted);
  });

  it('that name nobody are an error, and not an id [H11]', () => {
    expect(() => substitute('$child:plums', ids)).toThrow(
      'the scenario names $child:plums, and there is no such agent',
    );
    expect(() => substitute('$parent', { ...ids, parent: undefined })).toThrow('$parent');
  });
});

describe('whose request it is', () => {
  const task = (id: string, label: string, senderSessionId: string) =>
    ({
      id,
      role: 'user',
      content: [],
      source: { kind: 'delegated-task', form: 'task', senderSessionId, label },
    }) as never;
  const prompt = { id: 'm', role: 'user', content: [], source: { kind: 'user' } } as never;

  it('is told by the last task in its messages: a fork begins with those of its parent [H11]', () => {
    const messages: Message[] = [
      prompt,
      task('t1', 'fruit', 'root'),
      task('t2', 'pears', 'fruit-id'),
      prompt,
    ];
    expect(taskOf(messages)).toEqual({ label: 'pears', messageId: 't2', parentId: 'fruit-id' });
    expect(taskOf([prompt])).toBeUndefined();
  });
});
