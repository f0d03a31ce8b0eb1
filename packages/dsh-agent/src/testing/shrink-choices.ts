/**
 * Makes a failing schedule small.
 * Owns: which simpler lists of choices are tried.  Does not own: how a schedule is run.
 * I1. What it returns was seen to fail, or is what it was given.
 */

export interface ShrunkChoices {
  /** The shortest that still fail. */
  readonly choices: readonly number[];
  /** How many schedules were run for it. */
  readonly runs: number;
}

/**
 * Looks for a shorter and smaller list of `choices` that still fails. `fails` runs one schedule with the given
 * choices (see `SeededSchedulerOptions.choices`); what it throws is thrown on. Runs `maxRuns` (default 500) at most.
 */
export async function shrinkChoices(
  choices: readonly number[],
  fails: (choices: readonly number[]) => boolean | Promise<boolean>,
  { maxRuns = 500 }: { readonly maxRuns?: number } = {},
): Promise<ShrunkChoices> {
  let best = withoutTail(choices);
  let runs = 0;
  let smaller = true;
  while (smaller && runs < maxRuns) {
    smaller = false;
    for (const candidate of simpler(best)) {
      if (runs >= maxRuns) break;
      runs++;
      if (!(await fails(candidate))) continue;
      best = candidate;
      smaller = true;
      break;
    }
  }
  return { choices: best, runs };
}

/** The boldest first: cut off the end, take out a block, set a block to 0, make one choice smaller. */
function* simpler(choices: readonly number[]): Generator<readonly number[]> {
  const { length } = choices;
  if (length === 0) return;
  yield [];
  for (let size = length >> 1; size >= 1; size >>= 1) yield withoutTail(choices.slice(0, length - size));
  for (let size = length >> 1; size >= 1; size >>= 1) {
    for (let at = 0; at + size <= length; at += size) {
      yield withoutTail([...choices.slice(0, at), ...choices.slice(at + size)]);
      const block = choices.slice(at, at + size);
      if (block.every((choice) => choice === 0)) continue;
      yield withoutTail(choices.map((choice, index) => (index >= at && index < at + size ? 0 : choice)));
    }
  }
  for (const [at, choice] of choices.entries()) {
    const halves = choice > 1 ? [choice >> 1, choice - 1] : choice === 1 ? [0] : [];
    for (const half of halves) yield withoutTail(choices.with(at, half));
  }
}

/** Choices of 0 at the end say nothing: a list that is used up means 0. */
function withoutTail(choices: readonly number[]): readonly number[] {
  return choices.slice(0, choices.findLastIndex((choice) => choice !== 0) + 1);
}
