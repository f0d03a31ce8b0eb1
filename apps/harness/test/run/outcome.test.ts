import type { TurnEndReason } from '@deepseek-ai/dsh-session';
import { expect, it } from 'vitest';
import { outcomeOf } from '../../src/run/outcome.ts';

const cases: readonly [
  kind: TurnEndReason['kind'] | undefined,
  parked: boolean,
  outcome: string,
  code: number,
][] = [
  [undefined, false, 'completed', 0],
  ['completed', false, 'completed', 0],
  ['completed', true, 'parked', 4],
  [undefined, true, 'parked', 4],
  ['error', false, 'error', 1],
  ['error', true, 'error', 1],
  ['interrupted', false, 'interrupted', 1],
  ['refused', false, 'refused', 3],
  ['max-tokens', false, 'max-tokens', 3],
  ['max-steps', true, 'max-steps', 3],
  ['budget', false, 'budget', 3],
  ['aborted', true, 'aborted', 5],
];

it.each(cases)(
  'a last turn that ended with %s, parked: %s, is %s with exit code %i [H5]',
  (kind, parked, outcome, exitCode) => {
    const lastTurnEnd = kind === undefined ? undefined : ({ kind } as TurnEndReason);
    expect(outcomeOf({ lastTurnEnd, parked })).toEqual({ outcome, exitCode });
  },
);
