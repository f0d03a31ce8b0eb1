/** Undoes what it stands for. Calling it again does nothing. */
export interface Registration extends Disposable {
  /** The same as `Symbol.dispose`. */
  dispose(): void;
}

/** Time as a port, so that tests decide it. */
export interface Clock {
  /** Unix epoch, milliseconds. */
  now(): number;
  /** Calls `run` once, not before `ms` milliseconds have passed, unless the registration is disposed. It keeps no process alive. */
  timer(ms: number, run: () => void): Registration;
}

/** What happened that nobody asked about. `level` says whether something was lost (`error`) or may be odd (`warning`). */
export interface Diagnostic {
  /** What it is, for programs. An open set. */
  readonly code: string;
  /** Whether something was lost, may be odd, or is well again. */
  readonly level: 'info' | 'warning' | 'error';
  /** One sentence for people. */
  readonly message: string;
  /** The Session that it is about. */
  readonly sessionId?: string;
  /** What was thrown. */
  readonly cause?: unknown;
}
/** Hears diagnostics. What it throws is dropped. */
export type OnDiagnostic = (diagnostic: Diagnostic) => void;

/** The machine's own clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  timer(ms, run) {
    const handle: unknown = setTimeout(run, ms);
    // A browser gives a number; elsewhere a timer must not hold the process.
    if (typeof handle === 'object' && handle !== null && 'unref' in handle)
      (handle as { unref(): void }).unref();
    const dispose = (): void => {
      clearTimeout(handle as number);
    };
    return { dispose, [Symbol.dispose]: dispose };
  },
};
