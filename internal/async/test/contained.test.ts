import { contained } from '@dsh-internal/async';
import { expect, it } from 'vitest';

it('hands on what is told, and drops what the listener throws', () => {
  const heard: string[] = [];
  const tell = contained((fruit: string) => {
    heard.push(fruit);
    throw new Error('bad');
  });
  tell('plum');
  tell('pear');
  expect(heard).toEqual(['plum', 'pear']);
  contained<string>(undefined)('kiwi');
});
