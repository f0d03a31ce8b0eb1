/** A program of a few lines, whose schedules are known: it breaks its promise where the choices say so. */
import {
  createTrial,
  playChains,
  runTrial,
  type Called,
  type Schedule,
  type ScheduleResult,
  type Schedules,
} from '../src/index.ts';

export interface Asked {
  readonly kind: 'good' | 'bad';
}
export type Told = Called<Asked>;

/** Takes the choices one by one, then 0; what is posted runs in its order. */
export function listScheduler(choices: readonly number[]) {
  const steps: { readonly label: string; readonly run: () => void }[] = [];
  const [made, trace]: [number[], string[]] = [[], []];
  return {
    choices: made,
    trace,
    choose(label: string, count: number): number {
      const chosen = (choices[made.length] ?? 0) % count;
      made.push(chosen);
      trace.push(`${label}=${String(chosen)}`);
      return chosen;
    },
    post(label: string, run: () => void) {
      steps.push({ label, run });
    },
    async run({ maxSteps }: { readonly maxSteps: number }) {
      for (let step = steps.shift(); step !== undefined; step = steps.shift()) {
        if (trace.length >= maxSteps) throw new Error('too many steps');
        trace.push(step.label);
        step.run();
        await new Promise(setImmediate);
      }
    },
  };
}

const lists: Readonly<Record<number, readonly number[]>> = { 1: [0, 0, 0, 1], 2: [3, 1, 5] };

function runToy({ seed, choices }: Schedule, watch?: { see?(told: Told): void }): Promise<ScheduleResult> {
  const scheduler = listScheduler(choices ?? lists[seed] ?? []);
  const trial = createTrial<Told, Asked>(scheduler);
  return runTrial(trial, scheduler, {
    maxSteps: 100,
    endless: '[A10]',
    begin() {
      const sees = (told: Told): void => {
        if (told.at === 'answer' && told.operation.kind === 'bad') trial.fail('[A1] bad was answered');
      };
      trial.invariants = [...(watch === undefined ? [] : [watch]), { see: sees }];
      playChains(scheduler, {
        ...{ chains: 1, length: 2, kinds: ['good', 'bad'], weights: { good: 1, bad: 1 } },
        call(kind: Asked['kind']) {
          trial.track({ kind }, () => undefined);
        },
      });
      return Promise.resolve();
    },
    async finish(run) {
      await run();
    },
  });
}

export const toy: Schedules<Told> = {
  run: runToy,
  narrate: ({ at, operation }) => `${at} ${operation.kind}`,
  async shrink(choices, fails) {
    let best = choices;
    for (let length = 0; length < choices.length; length += 1) {
      if (await fails(choices.slice(0, length))) {
        best = choices.slice(0, length);
        break;
      }
    }
    return { choices: best };
  },
};
