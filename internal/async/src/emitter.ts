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
  return new Listeners(report);
}

class Listeners<Events extends object> implements Emitter<Events> {
  readonly #report: (cause: unknown, type: keyof Events) => void;
  /** Made with the first listener. */
  #byType: Map<keyof Events, readonly Listener[]> | undefined;

  constructor(report: (cause: unknown, type: keyof Events) => void) {
    this.#report = report;
  }

  on<K extends keyof Events>(type: K, listener: (event: Events[K]) => void): EmitterRegistration {
    // A wrapper of its own, so that the same function registered twice is two registrations.
    const own: Listener = (event) => {
      listener(event);
    };
    this.#byType ??= new Map();
    this.#byType.set(type, [...(this.#byType.get(type) ?? []), own]);
    const dispose = (): void => {
      this.#remove(type, own);
    };
    return { dispose, [Symbol.dispose]: dispose };
  }

  emit<K extends keyof Events>(type: K, event: Events[K]): void {
    for (const listener of this.#byType?.get(type) ?? []) {
      try {
        (listener as (event: unknown) => void)(event);
      } catch (error) {
        this.#report(error, type);
      }
    }
  }

  clear(): void {
    this.#byType = undefined;
  }

  #remove(type: keyof Events, listener: Listener): void {
    const rest = (this.#byType?.get(type) ?? []).filter((other) => other !== listener);
    if (rest.length === 0) this.#byType?.delete(type);
    else this.#byType?.set(type, rest);
  }
}
