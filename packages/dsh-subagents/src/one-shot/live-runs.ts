/**
 * The table of live runs, and how they are ended together.
 * Owns: each run from before its creation to its end. Does not own: what a run comes to.
 * I1. Child-first: the deepest runs end before those that started them.
 * I2. What one of them throws is told when it has ended, and keeps no other from being stopped and ended.
 * I3. One deadline for all of them. Past it a creation is waited for no longer, and an agent is left behind (M31).
 */
import type { CancelCause } from '@deepseek-ai/dsh-agent';
import type { Clock, SessionId } from '@deepseek-ai/dsh-session';
import { settleAll, type Deferred, type LinkedAbort } from '@dsh-internal/async';
import type { StartPlace } from '../admission/accounts.ts';
import { startDeadline, within, type Deadline } from '../lifecycle/deadline.ts';
import type { PortHandle } from '../port.ts';
import { createAskedStarts, type AskedStarts } from './asked-starts.ts';
import type { DrivenRun } from './drive.ts';

export interface LiveRun {
  /** Ids from the parent upward. */
  readonly chain: readonly [SessionId, ...SessionId[]];
  readonly starting: LinkedAbort;
  /** On the parent. */
  readonly hold: Disposable;
  readonly place: StartPlace;
  readonly gone: Deferred<void>;
  /** Rejects when its creation is waited for no longer. */
  readonly givenUp: Deferred<never>;
  stopped: boolean;
  /** What its agent threw where it was to stop. */
  notStopped?: { readonly cause: unknown };
  handle?: PortHandle;
  driven?: DrivenRun;
  dispose?: () => Promise<void>;
}

export interface LiveRunsDeps {
  readonly clock: Clock;
  readonly disposalMs: number;
  /** What the caller of a run is told that is stopped before it has begun. */
  readonly endOf: (chain: LiveRun['chain']) => Error;
}

export interface LiveRuns extends Pick<AskedStarts, 'ask'> {
  add(run: LiveRun): void;
  /** Its agent is gone, or left behind: its parent may go. */
  leave(run: LiveRun): void;
  countBelow(id: SessionId): number;
  /**
   * Synchronous: in none of the chosen runs a model request starts any more, and of no chosen start an answer is waited
   * for. `chain`: ids from the parent upward.
   */
  stopAll(chosen: ((chain: readonly SessionId[]) => boolean) | undefined, cause: CancelCause): void;
  /** Ends what was stopped by `stopAll`. */
  settled(): Promise<void>;
  /** Stops and ends every run below that agent. Default: a deadline of its own. */
  disposeBelow(id: SessionId, deadline?: Deadline): Promise<void>;
}

export function createLiveRuns({ clock, disposalMs, endOf }: LiveRunsDeps): LiveRuns {
  const live = new Set<LiveRun>();
  const asked = createAskedStarts(endOf);

  const leave = (run: LiveRun): void => {
    live.delete(run);
    run.place[Symbol.dispose]();
    run.starting[Symbol.dispose]();
    run.gone.resolve();
    run.hold[Symbol.dispose]();
  };
  const stopAll: LiveRuns['stopAll'] = (chosen = () => true, cause) => {
    for (const run of live) if (chosen(run.chain)) stopRun(run, cause, endOf(run.chain));
    asked.stop(chosen);
  };
  /** A run that has not come to its disposer yet undoes itself. */
  const end = async (run: LiveRun, deadline: Deadline): Promise<void> => {
    const inTime = await within(run.dispose?.() ?? run.gone.promise, deadline);
    const { notStopped } = run;
    if (live.has(run)) leaveBehind(run, leave);
    else if (notStopped !== undefined) throw notStopped.cause;
    else return;
    if (!inTime) throw new Error(`a one-shot child of ${String(run.chain[0])} did not end in time`);
  };
  const endAll = async (chosen: readonly LiveRun[], given: Deadline | undefined): Promise<void> => {
    const deadline = given ?? startDeadline(clock, disposalMs);
    const levels = [...new Set(chosen.map(({ chain }) => chain.length))].sort((a, b) => b - a);
    const failures: unknown[] = [];
    for (const level of levels) {
      const runs = chosen.filter(({ chain }) => chain.length === level);
      failures.push(...(await settleAll(runs.map((run) => end(run, deadline)))));
    }
    if (given === undefined) deadline[Symbol.dispose]();
    if (failures.length > 0)
      throw new AggregateError(failures, 'one-shot children were not disposed cleanly');
  };

  return {
    ...{ leave, stopAll, ask: asked.ask },
    add: (run) => void live.add(run),
    countBelow: (id) => [...live].filter(({ chain }) => chain.includes(id)).length,
    settled: () =>
      endAll(
        [...live].filter((run) => run.stopped),
        undefined,
      ),
    disposeBelow(id, deadline) {
      stopAll((chain) => chain.includes(id), 'drain');
      return endAll(
        [...live].filter(({ chain }) => chain.includes(id)),
        deadline,
      );
    },
  };
}

function stopRun(run: LiveRun, cause: CancelCause, reason: Error): void {
  run.stopped = true;
  run.starting.abort(reason);
  try {
    if (run.driven === undefined) run.handle?.stop(cause);
    else run.driven.stop(cause);
  } catch (error) {
    run.notStopped ??= { cause: error };
  }
}

/** What arrives of its creation later is refused by its own signal. */
function leaveBehind(run: LiveRun, leave: (run: LiveRun) => void): void {
  run.givenUp.reject(run.starting.signal.reason);
  try {
    run.handle?.abandon?.();
  } finally {
    leave(run);
  }
}
