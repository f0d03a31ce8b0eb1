/** Waits for every task and returns the reasons of those that failed, in the order of the tasks. */
export async function settleAll(tasks: Iterable<PromiseLike<unknown>>): Promise<readonly unknown[]> {
  const results = await Promise.allSettled(tasks);
  return results.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []));
}
