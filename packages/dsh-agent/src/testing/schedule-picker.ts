/** [pure] Says which of several steps comes next: by a seed, by recorded choices, or by a recorded trace. */
import { seededRandom } from './seeded-random.ts';

/**
 * How a seed picks. `uniform`: every waiting step is as likely as the other. `priority`: labels have ranks that
 * change now and then, so that some parts of a program starve for long, which finds deeper faults. `mixed`: the
 * seed says which of the two.
 */
export type ScheduleStrategy = 'uniform' | 'priority' | 'mixed';

/** `position` counts what was picked and chosen before. */
export interface SchedulePicker {
  /** An index of `labels`, which is not empty. */
  pick(labels: readonly string[], position: number): number;
  /** A whole number from 0 up to but not including `count`. */
  choose(label: string, count: number, position: number): number;
}

export function seededPicker(seed: number, strategy: ScheduleStrategy): SchedulePicker {
  const random = seededRandom(seed);
  const below = (count: number): number => Math.floor(random() * count);
  const choose = (_label: string, count: number): number => below(count);
  const coin = random() < 0.5;
  if (strategy === 'uniform' || (strategy === 'mixed' && coin))
    return { pick: ({ length }) => below(length), choose };

  const ranks = new Map<string, number>();
  const rank = (label: string): number => {
    const known = ranks.get(label) ?? random();
    ranks.set(label, known);
    return known;
  };
  return {
    pick(labels) {
      const ranked = labels.map(rank);
      const best = ranked.indexOf(Math.max(...ranked));
      if (random() < 0.1) ranks.set(labels[best] ?? '', random() - 1);
      return best;
    },
    choose,
  };
}

/** The oldest step, and 0, once `choices` are used up: so a shorter list is a simpler schedule. */
export function choicesPicker(choices: readonly number[]): SchedulePicker {
  let next = 0;
  // A place without alternatives is not recorded.
  const take = (count: number): number => (count <= 1 ? 0 : Math.abs(choices[next++] ?? 0) % count);
  return { pick: ({ length }) => take(length), choose: (_label, count) => take(count) };
}

/** How a trace holds a choice of the test itself. */
export function traceOf(label: string, chosen: number): string {
  return `${label}=${chosen}`;
}

/** Goes exactly by `trace`; what comes after its end is the oldest step, and 0. */
export function tracePicker(trace: readonly string[]): SchedulePicker {
  const astray = (position: number, found: string): Error =>
    new Error(
      `the schedule went another way at step ${position}: wanted "${trace[position] ?? ''}", got ${found}`,
    );
  return {
    pick(labels, position) {
      const wanted = trace[position];
      if (wanted === undefined) return 0;
      const index = labels.indexOf(wanted);
      if (index < 0) throw astray(position, labels.map((label) => `"${label}"`).join(', '));
      return index;
    },
    choose(label, count, position) {
      const wanted = trace[position];
      if (wanted === undefined) return 0;
      const chosen = Array.from({ length: count }, (_, index) => index).find(
        (index) => traceOf(label, index) === wanted,
      );
      if (chosen === undefined) throw astray(position, `a choice of "${label}"`);
      return chosen;
    },
  };
}
