/** One JSON object per line, each with the time at which it was told. */
import type { RunEvent } from '../run/run-event.ts';

export function jsonLines(write: (text: string) => void): (event: RunEvent) => void {
  return (event) => {
    const { type, ...rest } = event;
    write(`${JSON.stringify({ type, time: Date.now(), ...rest })}\n`);
  };
}
