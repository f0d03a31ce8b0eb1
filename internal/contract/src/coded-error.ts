/** An error with a stable code, recognized by its marker and so across two installed copies of a package. */
export interface CodedError extends Error {
  readonly code: string;
}

export interface CodedErrorKind {
  create(code: string, message: string, options?: CodedErrorOptions): CodedError;
  is(value: unknown): value is CodedError;
}

export interface CodedErrorOptions {
  readonly cause?: unknown;
  /** Further members of the error, by name. */
  readonly data?: Readonly<Record<string, unknown>>;
}

/** What V8 adds. It takes the maker of an error off the error's stack. */
interface StackTraces {
  captureStackTrace?(error: Error, above: unknown): void;
}

/** `marker` is a `Symbol.for` key; `name` is what `error.name` says. */
export function codedError(name: string, marker: string): CodedErrorKind {
  const key = Symbol.for(marker);
  const create: CodedErrorKind['create'] = (code, message, options = {}) => {
    const error = new Error(message, 'cause' in options ? { cause: options.cause } : undefined);
    Object.defineProperties(error, {
      name: { value: name, configurable: true, writable: true },
      [key]: { value: true },
    });
    (Error as StackTraces).captureStackTrace?.(error, create);
    return Object.assign(error, options.data, { code });
  };
  return {
    create,
    is: (value): value is CodedError => typeof value === 'object' && value !== null && key in value,
  };
}
