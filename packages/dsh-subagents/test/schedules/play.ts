/** Which operations come when: in chains, or inside of a listener. */
import { chooseKind, playChains } from '@dsh-internal/schedule-testing';
import type { Happening } from './happening.ts';
import {
  cancelAgent,
  crashAndReopen,
  disposeRoot,
  drainBelow,
  give,
  interruptByHost,
  prompt,
  replaceRoot,
  stopChildren,
  takeOver,
} from './host-operations.ts';
import { repeatSend, replaceProvider, registerLate, takeElsewhere } from './wide-operations.ts';
import { asked, chooseAgent, chooseAsker, chooseTarget, send, startChild } from './operations.ts';
import { weights, type OperationKind } from './settings.ts';
import { idOf, type Trial } from './trial.ts';
import { routeOf } from './actors.ts';

const kinds: Readonly<Record<OperationKind, (trial: Trial) => void>> = {
  start(trial) {
    const parent = chooseAsker(trial);
    if (parent !== undefined) startChild(trial, parent).catch(ignore);
  },
  chain(trial) {
    const parent = chooseAgent(trial);
    if (parent === undefined) return;
    const { agents } = trial.program;
    const next = async (levels: number, from: typeof parent): Promise<void> => {
      const child = agents.get(await startChild(trial, from));
      if (levels > 1 && child !== undefined) await next(levels - 1, child);
    };
    next(2 + trial.choose('levels', 3), parent).catch(ignore);
  },
  send(trial) {
    const asker = chooseAsker(trial);
    if (asker !== undefined) send(trial, asker, chooseTarget(trial, asker)).catch(ignore);
  },
  give,
  interrupt(trial) {
    const asker = chooseAsker(trial);
    if (asker === undefined) return;
    const targetId = chooseTarget(trial, asker);
    const discard = trial.chance('discard', 3);
    trial.track({ kind: discard ? 'interrupt-discard' : 'interrupt', asker, targetId }, () =>
      trial.program.runtime.interrupt(targetId, asker, { discard }),
    );
  },
  'host-interrupt': interruptByHost,
  prompt,
  abort(trial) {
    const waiting = trial.aborts.filter(({ signal }) => !signal.aborted);
    trial.pick('signal', waiting)?.abort(new Error('the caller has left'));
  },
  arm(trial) {
    const at = trial.pick('happening', happenings) ?? 'enqueue';
    const late = trial.chance('late', 2);
    const kind = trial.chance('stopping', 2) ? chooseStop(trial) : chooseAny(trial);
    trial.armed.push({
      ...{ at, late },
      run: () => {
        if (kind !== 'arm') call(trial, kind);
      },
    });
  },
  cancel: cancelAgent,
  'stop-children': stopChildren,
  'drain-below': drainBelow,
  'dispose-root': disposeRoot,
  'replace-root': replaceRoot,
  'one-shot': oneShot,
  wait(trial) {
    const id = trial.pick('root', [...trial.program.roots.keys()]);
    if (id === undefined) return;
    trial.track({ kind: 'wait', targetId: id }, () => trial.program.runtime.whenQuiescent(id));
  },
  'take-over': takeOver,
  crash: crashAndReopen,
  again: repeatSend,
  provider: replaceProvider,
  'late-tool': registerLate,
  second: takeElsewhere,
  drain(trial) {
    trial.stop({ scope: 'all' });
    trial.track({ kind: 'drain' }, () => trial.program.runtime.drain());
  },
};

const happenings: readonly Happening['at'][] = [
  'enqueue',
  'epoch-start',
  'epoch-end',
  'discard',
  'turn-end',
  'status',
  'disposed',
  'log',
  'dequeue',
  'parked',
  // The rarest, and those where most is half done.
  'created',
  'created',
  'created',
  'epoch-start',
];

function ignore(): void {
  // The tracking has heard of it.
}

function oneShot(trial: Trial): void {
  const parent = chooseAgent(trial);
  if (parent === undefined) return;
  trial.names += 1;
  const label = `o${String(trial.names)}`;
  const stays = trial.chance('dispose early', 3);
  const odd = trial.settings.faulty?.providers === true;
  const provider = odd ? (trial.pick('provider', ['spawn', 'odd'] as const) ?? 'spawn') : 'spawn';
  const request = { label, prompt: `Task of ${label}`, parent, model: routeOf(idOf(label)) };
  asked(trial, { kind: 'one-shot', asker: parent }, async () => {
    const run = await trial.program.runtime.start(provider, request);
    if (!stays) await run.result;
    await run.dispose();
  }).catch(ignore);
}

function chooseAny(trial: Trial): OperationKind {
  return chooseKind(trial.scheduler, { kinds: trial.settings.kinds, weights });
}

const stops: readonly OperationKind[] = [
  'abort',
  'cancel',
  'interrupt',
  'stop-children',
  'drain-below',
  'dispose-root',
  'replace-root',
  'drain',
];

/** What ends something is worth most inside of a listener. */
function chooseStop(trial: Trial): OperationKind {
  const inPlay = trial.settings.kinds.filter((kind) => stops.includes(kind));
  return trial.pick('stop', inPlay) ?? 'start';
}

/** A program that is being opened anew takes no calls yet. */
function call(trial: Trial, kind: OperationKind): void {
  if (trial.program.number === trial.programs && !trial.program.ending) kinds[kind](trial);
}

/** Posts the chains of operations. */
export function play(trial: Trial): void {
  const { kinds: inPlay, chains, length } = trial.settings;
  playChains(trial.scheduler, {
    ...{ kinds: inPlay, weights, chains, length, another: true },
    call(kind) {
      call(trial, kind);
    },
  });
}
