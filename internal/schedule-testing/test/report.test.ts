import { expect, it } from 'vitest';
import { checkSeeds, heavySeeds, lightSeeds, probe } from '../src/index.ts';
import { toy } from './toy.ts';

async function probed(...words: string[]) {
  const lines: string[] = [];
  const code = await probe(toy, words, (line) => void lines.push(...line.split('\n')));
  return { code, lines };
}

it('makes of the first failing seed a report with fewer choices and what happened [Q4]', async () => {
  await expect(checkSeeds(toy, { from: 3, count: 5 })).resolves.toBeUndefined();
  const report = await checkSeeds(toy, { from: 0, count: 5 }).then(
    () => 'nothing was found',
    (error: unknown) => (error as Error).message.split('\n'),
  );
  expect(report).toEqual([
    'schedule of seed 1: [A1] bad was answered',
    'Run it alone with SEED=1. Shrunk to [0,0,0,1]: [A1] bad was answered',
    'call good',
    'answer good',
    'call bad',
    'answer bad',
  ]);
});

it('counts what breaks in a range by its kind, and says so in the exit code [Q4]', async () => {
  expect(await probed('0', '3')).toEqual({
    code: 1,
    lines: [
      '2 [A1] bad was answered (seeds 1 2)',
      expect.stringMatching(/^3 schedules, \d+ steps, \d+ a second$/),
    ],
  });
});

it('stops at the first that breaks a promise when it is told to [Q4]', async () => {
  expect((await probed('0', '3', 'first')).lines[0]).toBe('1 [A1] bad was answered (seeds 1)');
});

it('tells one schedule alone in full [Q4]', async () => {
  const { code, lines } = await probed('0', '1');
  expect(lines.slice(0, 4)).toEqual(['call good', 'answer good', 'call good', 'answer good']);
  expect(code).toBe(0);
});

it('cuts the seeds of a heavy run into ten ranges without a gap, as many as the environment says [Q4]', () => {
  const amounts = { inCi: 1_000, inLongRun: 5_000 };
  expect(heavySeeds({}, amounts, { from: 70 })).toHaveLength(10);
  expect(heavySeeds({}, amounts, { from: 70 })[1]).toMatchObject({ from: 170, count: 100, last: 269 });
  expect(heavySeeds({ DSH_LONG_TESTS: '1' }, amounts)[9]).toMatchObject({ from: 4_500, last: 4_999 });
  expect(heavySeeds({ SCHEDULES: '200' }, amounts, { shares: 2 })[9]).toMatchObject({ from: 90, last: 99 });
  expect(lightSeeds({})).toMatchObject({ from: 3_000_000, count: 500 });
  expect(lightSeeds({ SEED: '7' })).toMatchObject({ from: 7, count: 1 });
});
