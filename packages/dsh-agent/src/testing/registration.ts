import type { Registration } from '@deepseek-ai/dsh-session';

/** Undoes once; further calls do nothing. */
export function registration(undo: () => void): Registration {
  let done = false;
  const dispose = (): void => {
    if (done) return;
    done = true;
    undo();
  };
  return { dispose, [Symbol.dispose]: dispose };
}
