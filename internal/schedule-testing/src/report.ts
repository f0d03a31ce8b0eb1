/** Runs many schedules, and makes of the first one that fails something that a person can read and repeat. */
import type { Schedules } from './schedule.ts';

/** Throws with seed, shrunk choices and trace at the first schedule that breaks a promise. */
export async function checkSeeds<Happening>(
  schedules: Schedules<Happening>,
  { from, count }: { readonly from: number; readonly count: number },
): Promise<void> {
  for (let seed = from; seed < from + count; seed += 1) {
    const { violations, choices } = await schedules.run({ seed });
    if (violations.length > 0) throw new Error(await reportOf(schedules, seed, choices, violations));
  }
}

/** The rules that a violation names: a smaller schedule has to break one of them too. */
function rulesIn(violations: readonly string[]): readonly string[] {
  return violations.map((violation) => /^\[[^\]]*\]/.exec(violation)?.[0] ?? violation);
}

async function reportOf<Happening>(
  schedules: Schedules<Happening>,
  seed: number,
  choices: readonly number[],
  violations: readonly string[],
): Promise<string> {
  const broken = new Set(rulesIn(violations));
  const shrunk = await schedules.shrink(choices, async (fewer) => {
    const result = await schedules.run({ seed, choices: fewer });
    return rulesIn(result.violations).some((rule) => broken.has(rule));
  });
  const told: string[] = [];
  const last = await schedules.run(
    { seed, choices: shrunk.choices },
    {
      see(happening) {
        told.push(schedules.narrate(happening));
      },
    },
  );
  return [
    `schedule of seed ${String(seed)}: ${violations.join('; ')}`,
    `Run it alone with SEED=${String(seed)}. Shrunk to ${JSON.stringify(shrunk.choices)}: ${last.violations.join('; ')}`,
    ...told,
  ].join('\n');
}
