import type { MessageId, SessionEvent, TurnEndReason, Usage } from '@deepseek-ai/dsh-session';
import { describe, expect, it } from 'vitest';
import { addUsage, epochOutput, outcomeOf } from '../../src/notice/outcome.ts';

const plain = {
  lastTurnEnd: { kind: 'completed' } as const,
  discardedAfter: false,
  fenced: false,
  failed: false,
};

describe('the outcome of an epoch', () => {
  it.each<[TurnEndReason | undefined, string]>([
    [{ kind: 'completed' }, 'completed'],
    [{ kind: 'aborted', cause: 'user' }, 'aborted'],
    [{ kind: 'error', code: 'X', message: 'y' }, 'error'],
    [{ kind: 'refused' }, 'refused'],
    [{ kind: 'max-tokens' }, 'max-tokens'],
    [{ kind: 'max-steps' }, 'max-steps'],
    [{ kind: 'budget' }, 'budget'],
    [{ kind: 'interrupted' }, 'aborted'],
    [undefined, 'aborted'],
  ])('[M33] follows the end of the last turn: %j', (lastTurnEnd, outcome) => {
    expect(outcomeOf({ ...plain, lastTurnEnd })).toBe(outcome);
  });

  it.each([
    [{ discardedAfter: true }, 'aborted'],
    [{ fenced: true }, 'fenced'],
    [{ fenced: true, discardedAfter: true }, 'fenced'],
    [{ failed: true }, 'teardown-failed'],
    [{ failed: true, fenced: true, discardedAfter: true }, 'teardown-failed'],
  ])('[M33] is overridden by %j', (facts, outcome) => {
    expect(outcomeOf({ ...plain, ...facts })).toBe(outcome);
  });
});

describe('the output of an epoch', () => {
  const answer = (seq: number, texts: readonly string[], usage?: Usage): SessionEvent => ({
    seq,
    time: 0,
    type: 'assistant/message',
    data: {
      id: `m${seq}` as MessageId,
      role: 'assistant',
      content: texts.map((text) => ({ type: 'text', text })),
      finish: 'stop',
      ...(usage === undefined ? {} : { usage }),
    },
  });
  const end = (seq: number): SessionEvent => ({
    seq,
    time: 0,
    type: 'turn/end',
    data: { turn: 0, reason: { kind: 'completed' } },
  });

  it('[M33] is the last text that is not blank', () => {
    const events = [answer(0, ['old']), answer(1, ['a', 'b']), end(2), answer(3, [' \n']), answer(4, [])];
    expect(epochOutput(events, 0)).toEqual({ output: 'ab' });
  });

  it('[M33] does not reach behind the beginning of the epoch', () => {
    expect(epochOutput([answer(0, ['old'], { inputTokens: 1, outputTokens: 1 }), end(1)], 1)).toEqual({});
  });

  it('[M33] sums what all answers of the epoch took', () => {
    const events = [
      answer(0, ['x'], { inputTokens: 9, outputTokens: 9 }),
      answer(1, ['a'], { inputTokens: 1, outputTokens: 2 }),
      answer(2, [], { inputTokens: 3, outputTokens: 4, cachedInputTokens: 2 }),
      answer(3, ['b'], { inputTokens: 5, outputTokens: 6, cachedInputTokens: 1, reasoningTokens: 4 }),
    ];
    expect(epochOutput(events, 1)).toEqual({
      output: 'b',
      usage: { inputTokens: 9, outputTokens: 12, cachedInputTokens: 3, reasoningTokens: 4 },
    });
  });

  it('keeps a count that nobody gave out of a sum', () => {
    const one = { inputTokens: 1, outputTokens: 1 };
    expect(addUsage(undefined, one)).toBe(one);
    expect(addUsage(one, one)).toEqual({ inputTokens: 2, outputTokens: 2 });
    const cached = { ...one, cachedInputTokens: 1 };
    for (const sum of [addUsage(one, cached), addUsage(cached, one)])
      expect(sum).toEqual({ inputTokens: 2, outputTokens: 2, cachedInputTokens: 1 });
  });
});
