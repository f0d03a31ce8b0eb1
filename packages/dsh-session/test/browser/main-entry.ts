import { memoryDriver, openSessionStore, systemClock } from '@deepseek-ai/dsh-session';

function check(condition: boolean, what: string): void {
  if (!condition) throw new Error(what);
}

/** Run in Chromium against the built package (Q8). */
export const cases = {
  'the system clock runs a timer': () =>
    new Promise<void>((resolve) => {
      systemClock.timer(1, resolve);
    }),

  'a session keeps what was appended': async () => {
    const store = await openSessionStore({ driver: memoryDriver() });
    const session = await store.create({});
    session.append('turn/start', { turn: 0 });
    check(session.events().at(-1)?.type === 'turn/start', 'the event is not in the log');
    await store[Symbol.asyncDispose]();
    check(session.sealed, 'the session is still open');
  },
};
