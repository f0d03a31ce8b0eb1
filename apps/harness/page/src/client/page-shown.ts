/**
 * Whether somebody can see this page. A browser has few connections to one server, and a hidden page should hold none.
 */

/** A page is hidden for so long, in milliseconds, before it counts: whoever looks at another tab often comes back soon. */
const patience = 3_000;

export const isHidden = (): boolean => document.visibilityState === 'hidden';

/** Calls once, when the page has been hidden for a while. Returns what ends it. */
export function onceHidden(call: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const look = (): void => {
    clearTimeout(timer);
    if (isHidden()) timer = setTimeout(call, patience);
  };
  document.addEventListener('visibilitychange', look);
  look();
  return () => {
    clearTimeout(timer);
    document.removeEventListener('visibilitychange', look);
  };
}

/** Resolves after so many milliseconds, when the page comes into view, or when the signal ends it. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = new AbortController();
    const end = (): void => {
      clearTimeout(timer);
      done.abort();
      resolve();
    };
    const timer = setTimeout(end, ms);
    const look = (): void => {
      if (!isHidden()) end();
    };
    document.addEventListener('visibilitychange', look, { signal: done.signal });
    signal.addEventListener('abort', end, { signal: done.signal });
    if (signal.aborted) end();
  });
}
