/** [pure] Says which of several steps comes next: by a seed, by recorded choices, or by a recorded trace. */
import { seededRandom } from './seeded-random.ts';

/**
 * How a seed picks. `uniform`: every waiting step is as likely as the other. `priority`: labels have ranks that
 * change now and then, so that some parts of a program starve for long, which finds deeper faults. `mixed`: the
 * seed says which of the two.
 */
export type ScheduleStrategy = 'uniform' | 'priority' | 'mixed';

export interface SchedulePicker {
  /** An index of `labels`, which has two entries at least. */
  pick(labels: readonly string[]): number;
  /** A whole number from 0 up to but not including `count`, which is 2 at least. */
  choose(label: string, count: number): number;
}

export function seededPicker(seed: number, strategy: ScheduleStrategy): SchedulePicker {
  const random = seededRandom(seed);
  const below = (count: number): number => Math.floor(random() * count);
  const choose = (_label: string, count: number): number => below(count);
  const coin = random() < 0.5;
  if (strategy === 'uniform' || (strategy === 'mixed' && coin)) return { pick: ({ length }) => below(length), choose };

  const ranks = new Map<string, number>();
  const rank = (label: string): number => {
    const known = ranks.get(label) ?? random();
    ranks.set(label, known);
    return known;
  };
  return {
    pick(labels) {
      let best = 0;
      labels.forEach((label, index) => {
        if (rank(label) > rank(labels[best] ?? '')) best = index;
      });
      if (random() < 0.1) ranks.set(labels[best] ?? '', random() - 1);
      return best;
    },
    choose,
  };
}

/** The oldest step, and 0, once `choices` are used up: so a shorter list is a simpler schedule. */
export function choicesPicker(choices: readonly number[]): SchedulePicker {
  let position = 0;
  const next = (count: number): number => Math.abs(choices[position++] ?? 0) % count;
  return { pick: ({ length }) => next(length), choose: (_label, count) => next(count) };
}
