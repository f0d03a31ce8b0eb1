/**
 * Who may ask a model now: places of the registry, and the backoff that all agents on a route share (A15, A33).
 * I1. First come, first served; one whose route must wait lets others pass.
 * I2. Nobody holds a place while waiting: a place is given when the request may go out at once.
 * I3. After a route was told to wait one request tries it; each success lets one more through.
 * I4. A clock that is set back makes nobody wait longer than was asked for, counted from then.
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
  /** It waits for so long, from then on. */
  delayMs: number;
  since: number;
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
      const route = data.routes.get(name) ?? { delayMs: 0, since: -Infinity, window: Infinity, active: 0 };
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
  return active < limit && route.active < route.window && waitOf(route, clock.now()) <= 0;
}

/** Lets everyone go who may, and sets the clock for the next one who only waits for a time. */
function giveOut(data: Data): void {
  const { clock } = data;
  for (const waiter of data.waiting) if (mayGo(data, waiter.route)) waiter.grant();
  data.timer?.dispose();
  const now = clock.now();
  const waits = data.waiting.map(({ route }) => waitOf(route, now)).filter((wait) => wait > 0);
  data.timer =
    waits.length === 0
      ? undefined
      : clock.timer(Math.min(...waits), () => {
          giveOut(data);
        });
}

/** How long the route still waits, in milliseconds (I4). */
function waitOf(route: RouteState, now: number): number {
  if (now < route.since) route.since = now;
  return route.since + route.delayMs - now;
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
    route.delayMs = Math.max(waitOf(route, now), result.routeDelayMs);
    route.since = now;
  }
}
