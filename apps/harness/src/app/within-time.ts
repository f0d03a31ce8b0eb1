/**
 * Waiting that ends.
 * I1. The clock holds the process open while somebody waits, and is let go with the wait.
 */

/** `true` when `work` has ended; `false` where it has not within `ms`: what it does then is nobody's. Rejects as it does. */
export async function withinTime(work: PromiseLike<unknown>, ms: number): Promise<boolean> {
  let clock: NodeJS.Timeout | undefined;
  try {
    return await new Promise<boolean>((resolve, reject) => {
      clock = setTimeout(() => {
        resolve(false);
      }, ms);
      work.then(() => {
        resolve(true);
      }, reject);
    });
  } finally {
    clearTimeout(clock);
  }
}
