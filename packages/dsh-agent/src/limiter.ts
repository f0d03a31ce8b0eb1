/**
 * Who may ask a model now: places of the registry, and the backoff that all agents on a route share (A15, A33).
 * I1. First come, first served; one whose route must wait lets others pass.
 * I2. Nobody holds a place while waiting: a place is given when the request may go out at once.
 * I3. After a route was told to wait one request tries it; each success lets one more through.
 */
import type { Clock, Registration } from '@deepseek-ai/dsh-session';
import { deferred } from '@dsh-internal/async';

/** How a request went, as far as others on its route must know. */
export type PlaceResult =
  { readonly kind: 'ok' } | { readonly kind: 'failed'; readonly routeDelayMs?: number };

export interface ModelPlace {
  /** Gives the place back. Calling it again does nothing. */
  release(result: PlaceResult): void;
}

export interface ModelLimiter {
  /** Rejects with the signal's reason when that aborts first. */
  acquire(route: string, signal: AbortSignal): Promise<ModelPlace>;
}

interface RouteState {
  readyAt: number;
  /** How many requests may be under way. */
  window: number;
  active: number;
}

interface Waiter {
  readonly route: RouteState;
  grant(): void;
}

export interface LimiterOptions {
  /** How many requests may be under way. */
  readonly limit: number;
  readonly clock: Clock;
}

interface Data extends LimiterOptions {
  readonly routes: Map<string, RouteState>;
  waiting: readonly Waiter[];
  active: number;
  timer: Registration | undefined;
}

/** From so many on a route counts as well again. */
const openWindow = 64;

export function createModelLimiter({ limit, clock }: LimiterOptions): ModelLimiter {
  const data: Data = { limit, clock, routes: new Map(), waiting: [], active: 0, timer: undefined };
  return {
    async acquire(name, signal) {
      signal.throwIfAborted();
      const route = data.routes.get(name) ?? { readyAt: 0, window: Infinity, active: 0 };
      data.routes.set(name, route);
      return mayGo(data, route) ? take(data, route) : waitFor(data, route, signal);
    },
  };
}

async function waitFor(data: Data, route: RouteState, signal: AbortSignal): Promise<ModelPlace> {
  const gate = deferred<ModelPlace>();
  const leave = (): void => {
    data.waiting = data.waiting.filter((other) => other !== waiter);
  };
  const waiter: Waiter = {
    route,
    grant: () => {
      leave();
      gate.resolve(take(data, route));
    },
  };
  const onAbort = (): void => {
    leave();
    gate.reject(signal.reason);
    giveOut(data);
  };
  signal.addEventListener('abort', onAbort, { once: true });
  data.waiting = [...data.waiting, waiter];
  giveOut(data);
  try {
    return await gate.promise;
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

function mayGo({ active, limit, clock }: Data, route: RouteState): boolean {
  return active < limit && route.active < route.window && route.readyAt <= clock.now();
}

/** Lets everyone go who may, and sets the clock for the next one who only waits for a time. */
function giveOut(data: Data): void {
  const { clock } = data;
  for (const waiter of data.waiting) if (mayGo(data, waiter.route)) waiter.grant();
  data.timer?.dispose();
  const times = data.waiting.map(({ route }) => route.readyAt).filter((time) => time > clock.now());
  data.timer =
    times.length === 0
      ? undefined
      : clock.timer(Math.min(...times) - clock.now(), () => {
          giveOut(data);
        });
}

function take(data: Data, route: RouteState): ModelPlace {
  data.active += 1;
  route.active += 1;
  let held = true;
  return {
    release(result) {
      if (!held) return;
      held = false;
      data.active -= 1;
      route.active -= 1;
      learn(route, result, data.clock.now());
      giveOut(data);
    },
  };
}

function learn(route: RouteState, result: PlaceResult, now: number): void {
  if (result.kind === 'ok') {
    route.window = route.window >= openWindow ? Infinity : route.window + 1;
  } else if (result.routeDelayMs !== undefined) {
    route.window = 1;
    route.readyAt = Math.max(route.readyAt, now + result.routeDelayMs);
  }
}
