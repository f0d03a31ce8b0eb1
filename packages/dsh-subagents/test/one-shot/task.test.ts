import { describe, expect, it } from 'vitest';
import { resultOf } from '../../src/one-shot/task.ts';
import type { Outcome } from '../../src/outcome.ts';

const plain = { wanted: false, value: undefined };

describe('what a one-shot run comes to', () => {
  it.each<[Outcome, string]>([
    ['completed', 'completed'],
    ['aborted', 'aborted'],
    ['error', 'error'],
    ['refused', 'refused'],
    ['max-tokens', 'max-tokens'],
    ['max-steps', 'max-steps'],
    ['budget', 'budget'],
    ['fenced', 'error'],
    ['teardown-failed', 'error'],
  ])('of %s is %s to who asked [M49]', (outcome, stopReason) => {
    expect(resultOf(outcome, { output: 'done' }, plain)).toEqual({ stopReason, output: 'done' });
  });

  it('has failed where the structured result that was asked for is missing, and only then [M49]', () => {
    expect(resultOf('completed', {}, { wanted: true, value: undefined })).toEqual({
      stopReason: 'error',
      output: '',
    });
    expect(resultOf('max-steps', {}, { wanted: true, value: undefined }).stopReason).toBe('max-steps');
    expect(resultOf('completed', {}, { wanted: true, value: null })).toEqual({
      stopReason: 'completed',
      output: '',
      structured: null,
    });
  });
});
