/**
 * The tests that every driver passes. The runner is injected, the assertions are those of `node:assert/strict`.
 *
 * ```ts
 * import { driverConformance } from '@deepseek-ai/dsh-session/conformance';
 * driverConformance({ describe, it, open: async () => ({ driver, reopen, damage, expire, dispose }) });
 * ```
 */
import { abortGroups } from './driver/abort.ts';
import { appendGroups } from './driver/append.ts';
import { createGroups } from './driver/create.ts';
import { damageGroups } from './driver/damage.ts';
import { forkGroups } from './driver/fork.ts';
import { listGroups } from './driver/list.ts';
import { manifestGroups } from './driver/manifest.ts';
import { placeGroups } from './driver/place.ts';
import { readGroups } from './driver/read.ts';
import { summaryGroups } from './driver/summary.ts';
import type { FaultPlan } from './faulty-driver.ts';
import { declare, type ConformanceOptions } from './medium.ts';
import { durabilityGroups } from './store/durability.ts';
import { lifecycleGroups } from './store/lifecycle.ts';
import { overStores } from './store/tools.ts';

export { faultyDriver, type Fault, type FaultPlan } from './faulty-driver.ts';
export type { ConformanceOptions, DamageKind, Medium, Runner } from './medium.ts';

/** Each kind of failure in turn, with a success after each. */
const everySecondFails: FaultPlan = (call) =>
  call % 2 === 1
    ? 'none'
    : ((['fail-half', 'fail-before', 'fail-after', 'fail-parts'] as const)[(call / 2) % 4] ?? 'none');

const driverGroups = [
  manifestGroups,
  createGroups,
  appendGroups,
  readGroups,
  listGroups,
  forkGroups,
  placeGroups,
  damageGroups,
  summaryGroups,
  abortGroups,
].flat();
const storeGroups = [...durabilityGroups, ...lifecycleGroups];

/**
 * Declares the suite: the driver's own contract, then a store over it, then a store over a medium that fails at
 * every second write.
 */
export function driverConformance(options: ConformanceOptions): void {
  const { describe } = options;
  describe('driver', () => {
    declare(options, driverGroups);
  });
  describe('store', () => {
    declare(options, overStores(storeGroups));
  });
  describe('store over a medium that fails', () => {
    declare(options, overStores(storeGroups, everySecondFails));
  });
}
