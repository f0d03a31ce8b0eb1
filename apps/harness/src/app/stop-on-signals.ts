/**
 * Ctrl-C and termination: the first signal asks the program to unwind, a second one ends it at once.
 */
import type { Registration } from '@deepseek-ai/dsh-session';

export const signalCodes = { SIGINT: 130, SIGTERM: 143 } as const;
export type StopSignal = keyof typeof signalCodes;

/** Of `process`, what is needed here. */
export interface SignalTarget {
  on(signal: StopSignal, listener: () => void): unknown;
  off(signal: StopSignal, listener: () => void): unknown;
  exit(code: number): void;
}

/** Calls `stop` at the first signal. The returned registration takes the listeners away. */
export function stopOnSignals(target: SignalTarget, stop: (signal: StopSignal) => void): Registration {
  let first: StopSignal | undefined;
  const onSignal = (signal: StopSignal) => (): void => {
    if (first !== undefined) {
      target.exit(signalCodes[first]);
      return;
    }
    first = signal;
    stop(signal);
  };
  const listeners = (['SIGINT', 'SIGTERM'] as const).map((signal) => [signal, onSignal(signal)] as const);
  for (const [signal, listener] of listeners) target.on(signal, listener);
  const dispose = (): void => {
    for (const [signal, listener] of listeners) target.off(signal, listener);
  };
  return { dispose, [Symbol.dispose]: dispose };
}
