/** Faults for the calls of one start: counted where nothing is wrong, and then put at each of them. */
export interface Faults {
  /** Calls since `arm`. */
  readonly count: number;
  /** `at`: the call that goes wrong, counted from 0; none where it is absent. */
  arm(fault: (call: number) => void): void;
  disarm(): void;
  /** The same object, whose calls are counted. */
  over<T extends object>(target: T, methods: readonly (keyof T)[]): T;
}

export function faults(): Faults {
  let count = 0;
  let armed: ((call: number) => void) | undefined;
  return {
    get count() {
      return count;
    },
    arm(fault) {
      count = 0;
      armed = fault;
    },
    disarm() {
      armed = undefined;
    },
    over: (target, methods) =>
      new Proxy(target, {
        get(object, key) {
          const member: unknown = Reflect.get(object, key, object);
          if (typeof member !== 'function') return member;
          return (...args: unknown[]): unknown => {
            if (armed !== undefined && (methods as readonly PropertyKey[]).includes(key)) {
              count += 1;
              armed(count - 1);
            }
            return Reflect.apply(member, object, args) as unknown;
          };
        },
      }),
  };
}
