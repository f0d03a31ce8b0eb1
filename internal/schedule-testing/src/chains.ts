/**
 * When operations come: side by side, in one span, or some microtasks later.
 * I1. A chain posts its next operation when the one before was called, so that operations spread over a schedule.
 */
import type { Scheduler } from './schedule.ts';

/** What a schedule does, and how much of it. */
export interface Chains<Kind extends string> {
  /** How many chains go on side by side, and how many times each of them calls. */
  readonly chains: number;
  readonly length: number;
  /** The kinds in play, and how often each comes. */
  readonly kinds: readonly Kind[];
  readonly weights: Readonly<Record<Kind, number>>;
  /** Calls one operation. */
  call(kind: Kind): void;
  /** Where an operation comes late, another may come at once. */
  readonly another?: boolean;
}

/** Posts the chains. They are over when nothing of them is left to pick. */
export function playChains<Kind extends string>(scheduler: Scheduler, play: Chains<Kind>): void {
  for (let chain = 0; chain < play.chains; chain += 1) {
    const next = (left: number): void => {
      if (left === 0) return;
      scheduler.post(`chain ${String(chain)}`, () => {
        perform(scheduler, play);
        next(left - 1);
      });
    };
    next(play.length);
  }
}

/** Chooses a kind of those in play, each as often as its weight says. */
export function chooseKind<Kind extends string>(
  scheduler: Pick<Scheduler, 'choose'>,
  { kinds, weights }: Pick<Chains<Kind>, 'kinds' | 'weights'>,
): Kind {
  const total = kinds.reduce((sum, kind) => sum + weights[kind], 0);
  let left = scheduler.choose('operation', total);
  for (const kind of kinds) {
    left -= weights[kind];
    if (left < 0) return kind;
  }
  throw new Error('no kind of operation is in play');
}

/** Microtasks that an operation may come late by: how far apart two steps of the product can be without a port. */
const latest = 24;

function perform<Kind extends string>(scheduler: Scheduler, play: Chains<Kind>): void {
  const callOne = (): void => {
    play.call(chooseKind(scheduler, play));
  };
  switch (scheduler.choose('how', 4)) {
    case 0:
    case 1:
      callOne();
      return;
    case 2:
      for (let count = 2 + scheduler.choose('burst', 2); count > 0; count -= 1) callOne();
      return;
    default: {
      const kind = chooseKind(scheduler, play);
      later(1 + scheduler.choose('microtasks', latest), () => {
        play.call(kind);
      });
      if (play.another === true && scheduler.choose('after another', 2) === 1) callOne();
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
