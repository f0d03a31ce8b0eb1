/**
 * One asynchronous call as two steps of a scheduler: it takes effect, then its answer is seen.
 * I1. The work runs in the first step. Its answer, also a failure, is handed over in the second, `<label> done`.
 */
import type { SeededScheduler } from './seeded-scheduler.ts';

export async function answerLater<T>(
  scheduler: SeededScheduler,
  label: string,
  work: () => Promise<T>,
): Promise<T> {
  await scheduler.task(label);
  try {
    return await work();
  } finally {
    await scheduler.task(`${label} done`);
  }
}
