import { expect, it } from 'vitest';
import { chooseKind, createTrial, runTrial, type Called } from '../src/index.ts';
import { listScheduler, type Asked } from './toy.ts';

const tick = () => new Promise(setImmediate);

function heard() {
  const trial = createTrial<never, Asked>(listScheduler([]));
  const lines: string[] = [];
  const see = ({ at, operation }: Called<Asked>): void => {
    lines.push(`${at} ${String(operation.number)} ${operation.kind} ${operation.state}`);
  };
  trial.invariants = [{ see }];
  return { trial, lines };
}

it('tells of a call at once, and of its answer when it comes [Q4]', async () => {
  const { trial, lines } = heard();
  const good = trial.track({ kind: 'good' }, () => 7);
  trial.track({ kind: 'bad' }, () => {
    throw new Error('planned');
  });
  expect(lines).toEqual(['call 0 good open', 'call 1 bad open']);
  await tick();
  expect(lines.slice(2)).toEqual(['answer 0 good done', 'answer 1 bad refused']);
  expect(good.value).toBe(7);
  expect(trial.operations[1]?.error).toMatchObject({ message: 'planned' });
});

it('does not hear what a program answers after its crash [Q4]', async () => {
  const { trial, lines } = heard();
  trial.track({ kind: 'good' }, () => undefined);
  trial.programs += 1;
  await tick();
  expect(lines).toEqual(['call 0 good open']);
  expect(trial.operations[0]?.state).toBe('open');
});

it('keeps a violation once, and says what a schedule without an end breaks [Q4]', async () => {
  const scheduler = listScheduler([]);
  const trial = createTrial<never, Asked>(scheduler);
  trial.fail('[A1] once');
  trial.fail('[A1] once');
  const result = await runTrial(trial, scheduler, {
    ...{ maxSteps: 1, endless: '[A10]', finish: () => Promise.resolve() },
    begin() {
      const again = (): void => {
        scheduler.post('again', again);
      };
      again();
      return Promise.resolve();
    },
  });
  expect(result.violations).toEqual(['[A1] once', expect.stringMatching(/^\[A10\] .*too many steps/)]);
});

it('asks the invariants at rest before anything is disposed, and again at the end [Q4]', async () => {
  const scheduler = listScheduler([]);
  const trial = createTrial<never, Asked>(scheduler);
  const order: string[] = [];
  trial.invariants = [
    {
      rest: () => void order.push('rest'),
      async end() {
        await tick();
        order.push('end');
      },
    },
  ];
  await runTrial(trial, scheduler, {
    ...{ maxSteps: 10, endless: '[A10]', begin: () => Promise.resolve() },
    finish: async (run) => {
      scheduler.post('disposal', () => void order.push('disposed'));
      await run();
    },
  });
  expect(order).toEqual(['rest', 'disposed', 'end']);
});

it('chooses each kind as often as its weight says [Q4]', () => {
  const play = { kinds: ['good', 'bad'] as const, weights: { good: 1, bad: 3 } };
  const chosen = [0, 1, 2, 3].map((choice) => chooseKind(listScheduler([choice]), play));
  expect(chosen).toEqual(['good', 'bad', 'bad', 'bad']);
});
