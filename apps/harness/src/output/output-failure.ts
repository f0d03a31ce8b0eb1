/**
 * Output that has nowhere to go: a closed pipe, a full disk.
 * I1. The first failure asks the program to unwind, once; what is printed after it is dropped.
 */
export const closedPipeCode = 141;

/** Of a stream of the process, what is needed here. */
export interface OutputStream {
  on(event: 'error', listener: (error: NodeJS.ErrnoException) => void): unknown;
  write(text: string): unknown;
}

export interface OutputFailure {
  /** The exit code of a program that would have ended with `usual`. */
  code(usual: number): number;
}

export function watchOutput(
  { out, err }: { readonly out: OutputStream; readonly err: OutputStream },
  unwind: () => void,
): OutputFailure {
  let failed: number | undefined;
  const fails = (error: NodeJS.ErrnoException): boolean => {
    if (failed !== undefined) return false;
    failed = error.code === 'EPIPE' ? closedPipeCode : 1;
    unwind();
    return true;
  };
  out.on('error', (error) => {
    if (fails(error) && error.code !== 'EPIPE')
      err.write(`dsh: the output could not be written: ${error.message}\n`);
  });
  err.on('error', fails);
  return { code: (usual) => failed ?? usual };
}
