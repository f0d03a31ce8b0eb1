/** Runs schedules by hand: `node --conditions=@deepseek-ai/source probe.ts [from] [count]`. */
import type { Happening } from './happening.ts';
import { narrate } from './narrate.ts';
import { runSchedule } from './run.ts';

const [from = 0, count = 1] = process.argv.slice(2).map(Number);
const started = performance.now();
let steps = 0;
let failed = 0;
const kinds = new Map<string, number[]>();
for (let seed = from; seed < from + count; seed += 1) {
  const told: string[] = [];
  const watch = { see: (happening: Happening) => void told.push(narrate(happening)) };
  const result = await runSchedule({ seed }, count === 1 ? watch : undefined);
  steps += result.steps;
  if (result.violations.length === 0) continue;
  failed += 1;
  const kind = result.violations[0]!.replace(/\b[cmo]\d+\b/g, '#')
    .replace(/\b[RQ]\b/g, '#')
    .slice(0, 150);
  kinds.set(kind, [...(kinds.get(kind) ?? []), seed]);
  if (count === 1) console.log(told.join('\n'), '\n', result.violations.join('\n'));
}
const seconds = (performance.now() - started) / 1000;
for (const [kind, seeds] of [...kinds].sort((a, b) => b[1].length - a[1].length))
  console.log(seeds.length, kind, seeds.slice(0, 6).join(' '));
console.log(
  `${String(count)} schedules, ${String(failed)} failed, ${String(steps)} steps, ${(count / seconds).toFixed(0)}/s`,
);
