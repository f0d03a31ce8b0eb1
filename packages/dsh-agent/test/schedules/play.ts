/** Which operations come when: in chains, or inside of a listener. */
import { chooseKind, playChains } from '@dsh-internal/schedule-testing';
import type { Happening } from './happening.ts';
import { operations } from './operations.ts';
import { weights, type OperationKind } from './settings.ts';
import type { Trial } from './trial.ts';

const happenings: readonly Happening['at'][] = [
  ...(['enqueue', 'dequeue', 'discard', 'turn-start', 'turn-end', 'status', 'disposed'] as const),
  ...([
    'log',
    'log',
    'log',
    'tool-start',
    'tool-end',
    'request',
    'request-end',
    'body',
    'aborted',
    'hook',
  ] as const),
];

/** A program that is being opened anew takes no calls yet. */
function call(trial: Trial, kind: OperationKind): void {
  if (trial.program.number !== trial.programs || trial.program.ending) return;
  if (kind !== 'arm') {
    operations[kind](trial);
    return;
  }
  const at = trial.pick('happening', happenings) ?? 'enqueue';
  const inner = chooseKind(trial.scheduler, { kinds: trial.settings.kinds, weights });
  trial.armed.push({
    at,
    run: () => {
      if (inner !== 'arm') call(trial, inner);
    },
  });
}

/** Posts the chains of operations. */
export function play(trial: Trial): void {
  const { kinds, chains, length } = trial.settings;
  playChains(trial.scheduler, {
    ...{ kinds, weights, chains, length },
    call(kind) {
      call(trial, kind);
    },
  });
}
