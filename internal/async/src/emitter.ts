/** Undoes a registration. Calling it again does nothing. */
export interface EmitterRegistration extends Disposable {
  dispose(): void;
}

/**
 * Synchronous events with contained listeners.
 * I1. Listeners run in the order of their registration.
 * I2. A listener that throws is reported and neither stops the others nor reaches the emitter.
 * I3. A listener that is added or removed during an emission counts from the next one on.
 */
export interface Emitter<Events extends object> {
  on<K extends keyof Events>(type: K, listener: (event: Events[K]) => void): EmitterRegistration;
  emit<K extends keyof Events>(type: K, event: Events[K]): void;
  clear(): void;
}

type Listener = (event: never) => void;

export function createEmitter<Events extends object>(
  report: (cause: unknown, type: keyof Events) => void,
): Emitter<Events> {
  const listeners = new Map<keyof Events, readonly Listener[]>();
  const remove = (type: keyof Events, listener: Listener): void => {
    const rest = (listeners.get(type) ?? []).filter((other) => other !== listener);
    if (rest.length === 0) listeners.delete(type);
    else listeners.set(type, rest);
  };
  return {
    on(type, listener) {
      // A wrapper of its own, so that the same function registered twice is two registrations.
      const own: Listener = (event) => {
        listener(event);
      };
      listeners.set(type, [...(listeners.get(type) ?? []), own]);
      const dispose = (): void => {
        remove(type, own);
      };
      return { dispose, [Symbol.dispose]: dispose };
    },
    emit(type, event) {
      for (const listener of listeners.get(type) ?? []) {
        try {
          (listener as (event: unknown) => void)(event);
        } catch (error) {
          report(error, type);
        }
      }
    },
    clear() {
      listeners.clear();
    },
  };
}
