/** What the file system or SQLite refused, told by what did not happen. */

/** An error of another kind is given back as it is. `undone` says what was not done. */
export function storeFailure(error: unknown, store: string, undone: string): unknown {
  if (
    !(error instanceof Error) ||
    !/^(?:E[A-Z0-9]+|SQLITE_\w+)$/.test((error as NodeJS.ErrnoException).code ?? '')
  )
    return error;
  return new Error(`the store ${store} cannot be used: ${error.message}; ${undone}`, { cause: error });
}
