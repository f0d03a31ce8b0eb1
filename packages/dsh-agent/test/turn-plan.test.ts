import { describe, expect, it } from 'vitest';
import { planNext, runsCalls, type StepResult, type TurnFacts, type TurnPlan } from '../src/turn-plan.ts';

const answered = (
  finish: 'stop' | 'tool-calls' | 'max-tokens' | 'refused' | 'other',
  calls = 0,
): StepResult => ({
  kind: 'answered',
  finish,
  calls,
});
const facts = (result: StepResult, more: Partial<TurnFacts> = {}): TurnFacts => ({
  result,
  steps: 1,
  stepLimit: 200,
  inbox: { parked: false, step: 0, turn: 0 },
  ...more,
});
const waiting = (step: number, turn: number, parked = false) => ({ inbox: { parked, step, turn } });
const end = (kind: 'completed' | 'max-tokens' | 'refused' | 'max-steps'): TurnPlan => ({
  kind: 'end',
  reason: { kind },
});
const more = (onlyFor: 'claim' | 'results'): TurnPlan => ({ kind: 'step', onlyFor });

describe('what follows a step', () => {
  const table: readonly (readonly [string, TurnFacts, TurnPlan])[] = [
    ['nothing left to do [A12]', facts(answered('stop')), end('completed')],
    ['calls have results: ask again [A12]', facts(answered('tool-calls', 2)), more('results')],
    ['calls whatever the finish says [A12]', facts(answered('stop', 1)), more('results')],
    ['a finish of calls without a call [A12]', facts(answered('tool-calls')), end('completed')],
    ['cut at the token limit [A12]', facts(answered('max-tokens', 1)), end('max-tokens')],
    ['refused by the model [A12]', facts(answered('refused')), end('refused')],
    ['the step limit [A18]', facts(answered('tool-calls', 1), { steps: 200 }), end('max-steps')],
    ['a step entry extends the turn [A5]', facts(answered('stop'), waiting(1, 0)), more('claim')],
    ['not while a turn entry waits [A5]', facts(answered('stop'), waiting(3, 1)), end('completed')],
    ['not while parked [A20]', facts(answered('stop'), waiting(1, 0, true)), end('completed')],
    [
      'not past the step limit [A18]',
      facts(answered('stop'), { steps: 200, ...waiting(1, 0) }),
      end('completed'),
    ],
    [
      'only what would end well is extended [A5]',
      facts(answered('max-tokens'), waiting(1, 0)),
      end('max-tokens'),
    ],
    ['nothing was claimed [A19]', facts({ kind: 'nothing' }), end('completed')],
    ['nothing was claimed of what waits [A19]', facts({ kind: 'nothing' }, waiting(1, 0)), end('completed')],
    ['a hook refused [A19]', facts({ kind: 'ended', reason: { kind: 'refused' } }), end('refused')],
    [
      'an abort beats all of it [A22]',
      facts(answered('stop'), { aborted: 'user', ...waiting(1, 0) }),
      { kind: 'end', reason: { kind: 'aborted', cause: 'user' } },
    ],
  ];
  it.each(table)('%s', (_, given, plan) => {
    expect(planNext(given)).toEqual(plan);
  });

  it('runs no calls of an answer that was cut at its limit or refused [A12 A14]', () => {
    const all = ['stop', 'tool-calls', 'other', 'max-tokens', 'refused'] as const;
    expect(all.filter(runsCalls)).toEqual(['stop', 'tool-calls', 'other']);
  });
});
