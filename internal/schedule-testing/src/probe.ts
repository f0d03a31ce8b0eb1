/**
 * Runs schedules without a test runner, in a process of its own.
 * I1. A rejection that nobody hears counts as a violation of the schedule in which it comes.
 */
import type { Schedules } from './schedule.ts';

interface Range {
  readonly from: number;
  readonly count: number;
  /** Stop at the first schedule that breaks a promise. */
  readonly untilFirst: boolean;
}

/**
 * Runs the schedules that the words ask for: `FROM COUNT [first]`. Prints a line for each kind of violation with its
 * seeds, then how many schedules and steps there were. One schedule alone is told in full. Answers with the exit
 * code: 1 where a promise was broken.
 */
export async function probe<Happening>(
  schedules: Schedules<Happening>,
  words: readonly string[],
  print: (line: string) => void,
): Promise<0 | 1> {
  const [from = 0, count = 1] = words.slice(0, 2).map(Number);
  const range = { from, count, untilFirst: words[2] === 'first' };
  const started = performance.now();
  const { found, steps } = await runRange(schedules, range, print);
  const seconds = (performance.now() - started) / 1000;
  for (const [kind, seeds] of [...found].sort(([, one], [, other]) => other.length - one.length)) {
    print(`${String(seeds.length)} ${kind} (seeds ${seeds.slice(0, 6).join(' ')})`);
  }
  print(`${String(count)} schedules, ${String(steps)} steps, ${(count / seconds).toFixed(0)} a second`);
  return found.size > 0 ? 1 : 0;
}

async function runRange<Happening>(
  schedules: Schedules<Happening>,
  { from, count, untilFirst }: Range,
  print: (line: string) => void,
): Promise<{ readonly found: ReadonlyMap<string, readonly number[]>; readonly steps: number }> {
  const found = new Map<string, number[]>();
  let steps = 0;
  let unheard: string[] = [];
  process.on('unhandledRejection', (reason) => {
    unheard = [`[M5 M14] a rejection that nobody heard: ${String(reason)}`];
  });
  for (let seed = from; seed < from + count; seed += 1) {
    const told: string[] = [];
    const see = (happening: Happening): void => {
      if (count === 1) told.push(schedules.narrate(happening));
    };
    const result = await schedules.run({ seed }, { see });
    steps += result.steps;
    const violations = [...result.violations, ...unheard];
    unheard = [];
    if (count === 1 && !untilFirst) print([...told, ...violations].join('\n'));
    const [first] = violations;
    if (first === undefined) continue;
    const kind = kindOf(first);
    found.set(kind, [...(found.get(kind) ?? []), seed]);
    if (untilFirst) break;
  }
  return { found, steps };
}

/** Violations that differ by the names in them alone are of one kind. */
function kindOf(violation: string): string {
  return violation.replace(/\b[cmno]\d+\b|\b[RQ]\b/g, '#').slice(0, 160);
}
