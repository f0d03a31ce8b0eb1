/** A mistake of the person at the terminal: one line, no stack, exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
