/**
 * Runs schedules without a test runner: `node --conditions=@deepseek-ai/source probe.ts FROM COUNT [first]`.
 * `first`: stops at the first one that breaks a promise, and says its seed. One schedule alone is told in full.
 */
import { narrate } from './narrate.ts';
import { runSchedule } from './run.ts';

const [from = 0, count = 1] = process.argv.slice(2, 4).map(Number);
const untilFirst = process.argv[4] === 'first';
const found = new Map<string, number[]>();
const started = performance.now();
let steps = 0;

// A promise that nobody hears of is a broken one too.
let unheard = '';
process.on('unhandledRejection', (reason) => {
  unheard = `[M5 M14] a rejection that nobody heard: ${String(reason)}`;
});

for (let seed = from; seed < from + count; seed += 1) {
  const told: string[] = [];
  const result = await runSchedule(
    { seed },
    {
      see(happening) {
        if (count === 1) told.push(narrate(happening));
      },
    },
  );
  steps += result.steps;
  const violations = unheard === '' ? result.violations : [...result.violations, unheard];
  unheard = '';
  if (count === 1 && !untilFirst) console.log([...told, ...violations].join('\n'));
  const [first] = violations;
  if (first === undefined) continue;
  const kind = first.replace(/\b[cmno]\d+\b|\b[RQ]\b/g, '#').slice(0, 160);
  found.set(kind, [...(found.get(kind) ?? []), seed]);
  if (untilFirst) break;
}

const seconds = (performance.now() - started) / 1000;
for (const [kind, seeds] of [...found].sort(([, one], [, other]) => other.length - one.length)) {
  console.log(`${String(seeds.length)} ${kind} (seeds ${seeds.slice(0, 6).join(' ')})`);
}
console.log(`${String(count)} schedules, ${String(steps)} steps, ${(count / seconds).toFixed(0)} a second`);
process.exitCode = found.size > 0 ? 1 : 0;
