/**
 * Which operations come when: side by side, in one span, some microtasks later, or inside of a listener.
 * I1. A chain posts its next operation when the one before was called, so that operations spread over a schedule.
 */
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

function chooseKind(trial: Trial): OperationKind {
  const { kinds } = trial.settings;
  let left = trial.choose(
    'operation',
    kinds.reduce((sum, kind) => sum + weights[kind], 0),
  );
  for (const kind of kinds) {
    left -= weights[kind];
    if (left < 0) return kind;
  }
  return 'followup';
}

/** A program that is being opened anew takes no calls yet. */
function call(trial: Trial, kind: OperationKind): void {
  if (trial.program.number !== trial.programs || trial.program.ending) return;
  if (kind !== 'arm') {
    operations[kind](trial);
    return;
  }
  const at = trial.pick('happening', happenings) ?? 'enqueue';
  const inner = chooseKind(trial);
  trial.armed.push({
    at,
    run: () => {
      if (inner !== 'arm') call(trial, inner);
    },
  });
}

/** Posts the chains of operations. They are over when nothing of them is left to pick. */
export function play(trial: Trial): void {
  const { chains, length } = trial.settings;
  for (let chain = 0; chain < chains; chain += 1) {
    const next = (left: number): void => {
      if (left === 0) return;
      trial.scheduler.post(`chain ${String(chain)}`, () => {
        perform(trial);
        next(left - 1);
      });
    };
    next(length);
  }
}

/** Microtasks that an operation may come late by: how far apart two steps of the product can be without a port. */
const latest = 24;

function perform(trial: Trial): void {
  switch (trial.choose('how', 4)) {
    case 0:
    case 1:
      call(trial, chooseKind(trial));
      return;
    case 2:
      for (let count = 2 + trial.choose('burst', 2); count > 0; count -= 1) call(trial, chooseKind(trial));
      return;
    default: {
      const kind = chooseKind(trial);
      later(1 + trial.choose('microtasks', latest), () => {
        call(trial, kind);
      });
    }
  }
}

function later(microtasks: number, run: () => void): void {
  if (microtasks === 0) run();
  else
    queueMicrotask(() => {
      later(microtasks - 1, run);
    });
}
