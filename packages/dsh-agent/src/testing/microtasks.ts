/**
 * Waits until no microtask is left.
 * Owns: how a turn of the event loop is waited for without a timer.
 * I1. It hops over one macrotask, so that no chain of promises, however long, is cut.
 * I2. The functions of the host are taken when this file is loaded: faked timers do not reach it.
 */
interface HopHost {
  readonly setImmediate?: ((run: () => void) => unknown) | undefined;
  readonly MessageChannel?: (new () => HopChannel) | undefined;
}
interface HopChannel {
  readonly port1: { onmessage: unknown; close(): void };
  readonly port2: { postMessage(message: unknown): void };
}

/** A hop over one macrotask with what `host` has: `setImmediate`, which is faster, else a message channel. */
export function macrotaskHop({
  setImmediate: immediate,
  MessageChannel: Channel,
}: HopHost): () => Promise<void> {
  if (immediate !== undefined) {
    return () =>
      new Promise((resolve) => {
        immediate(resolve);
      });
  }
  if (Channel === undefined)
    throw new Error('no macrotask can be waited for: neither setImmediate nor MessageChannel');
  return () =>
    new Promise((resolve) => {
      const { port1, port2 } = new Channel();
      port1.onmessage = () => {
        // An open port would hold a process.
        port1.close();
        resolve();
      };
      port2.postMessage(undefined);
    });
}

/**
 * Resolves when everything that microtasks alone can do has been done. It waits for no timer and for no
 * input or output. For tests, in place of a sleep.
 */
export const drainMicrotasks: () => Promise<void> = macrotaskHop(globalThis as unknown as HopHost);
