/**
 * A driver that fails on purpose.
 * I1. What it lets through is the other driver's own work: it adds nothing but failures.
 */
import type { BatchPart, PartResult, SessionDriver } from '../driver.ts';
import { sessionError } from '../errors.ts';

/**
 * What becomes of one `append`: `fail-before` writes nothing, `fail-half` the first half of each part's events,
 * `fail-after` everything, and all three reject; `fail-parts` writes everything and answers that no part was.
 */
export type Fault = 'none' | 'fail-before' | 'fail-half' | 'fail-after' | 'fail-parts';

/** Says what becomes of the `call`th append, counted from 0. */
export type FaultPlan = (call: number, parts: readonly BatchPart[]) => Fault;

/** `driver`, but for the appends that `plan` lets fail. */
export function faultyDriver(driver: SessionDriver, plan: FaultPlan): SessionDriver {
  let calls = 0;
  const append = async (parts: readonly BatchPart[]): Promise<readonly PartResult[]> => {
    const fault = plan(calls, parts);
    calls += 1;
    switch (fault) {
      case 'none':
        return driver.append(parts);
      case 'fail-before':
        throw broken();
      case 'fail-half':
        await driver.append(parts.map((part) => ({ ...part, events: half(part) })));
        throw broken();
      case 'fail-after':
        await driver.append(parts);
        throw broken();
      case 'fail-parts': {
        const results = await driver.append(parts);
        return results.map((result) => (result.ok ? { ok: false, error: broken() } : result));
      }
    }
  };
  return {
    protocol: driver.protocol,
    manifest: driver.manifest,
    append,
    take: (id, intent, options) => driver.take(id, intent, options),
    release: (place, options) => driver.release(place, options),
    head: (id, options) => driver.head(id, options),
    read: (id, range) => driver.read(id, range),
    list: (query) => driver.list(query),
    delete: (id, options) => driver.delete(id, options),
    repair: (place, options) => driver.repair(place, options),
    ...(driver.header === undefined ? {} : { header: driver.header.bind(driver) }),
    [Symbol.asyncDispose]: () => driver[Symbol.asyncDispose](),
  };
}

function half({ events }: BatchPart): BatchPart['events'] {
  return events.slice(0, Math.floor(events.length / 2));
}

function broken(): ReturnType<typeof sessionError> {
  return sessionError('NOT_DURABLE', 'nothing was written: the medium failed, as planned');
}
