/** What the parts of one store share. */
import type { Clock, OnDiagnostic } from '../clock.ts';
import type { SessionDriver } from '../driver.ts';
import type { SessionId } from '../ids.ts';
import type { KnownTypes } from '../log/vocabulary.ts';
import type { WriteBehind } from '../writing/write-behind.ts';
import type { Residents } from './resident.ts';

export interface StoreContext {
  readonly driver: SessionDriver;
  readonly clock: Clock;
  readonly known: KnownTypes;
  readonly newId: () => SessionId;
  /** Never throws. */
  readonly report: OnDiagnostic;
  readonly writer: WriteBehind;
  readonly residents: Residents;
  readonly closeTimeoutMs: number;
}
