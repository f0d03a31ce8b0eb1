/**
 * Who holds a place, and whether it still can.
 * Owns: the life sign of this driver. Does not own: what follows from a holder's death.
 * I1. Where death cannot be shown, and for a process that is there and silent, the lease decides.
 * I2. While a place is held, the life sign is renewed three times per lease by a timer that keeps no process alive.
 */
import { join } from 'node:path';
import type { Clock, OnDiagnostic, Registration } from '@deepseek-ai/dsh-session';
import { shownDead, type ProcessIdentity, type ProcessView } from '@dsh-internal/processes';
import type { FilePort } from './file-port.ts';

export interface Holder extends ProcessIdentity {
  /** The name of the driver's life sign. */
  readonly writer: string;
  readonly leaseMs: number;
  /** Unix epoch, milliseconds. */
  readonly since: number;
}

export type Condition = 'holding' | 'dead' | 'silent';

export interface Holders {
  describe(): Holder;
  condition(holder: Holder): Promise<Condition>;
  /** Takes away the life sign of a holder that is shown dead. */
  bury(holder: Holder): Promise<void>;
  /** Shows life from now on, until {@link rest}. */
  wake(): Promise<void>;
  rest(): void;
  /** Takes the life sign away. */
  leave(): Promise<void>;
}

export interface HoldersOptions {
  readonly files: FilePort;
  readonly folder: string;
  readonly processes: ProcessView;
  readonly clock: Clock;
  readonly leaseMs: number;
  readonly writer: string;
  readonly onDiagnostic: OnDiagnostic;
}

export function createHolders(options: HoldersOptions): Holders {
  const { files, folder, processes, clock, leaseMs, writer } = options;
  const sign = join(folder, writer);
  let timer: Registration | undefined;
  let beats: Promise<void> = Promise.resolve();

  const beat = (): Promise<void> =>
    files.touch(sign, clock.now()).catch((cause: unknown) => {
      options.onDiagnostic({
        code: 'lease-not-renewed',
        level: 'warning',
        message:
          'the life sign of this writer could not be renewed; another process may take its places over',
        cause,
      });
    });
  const tick = (): void => {
    timer = clock.timer(leaseMs / 3, () => {
      tick();
      beats = beat();
    });
  };

  return {
    describe: () => ({ ...processes.self, writer, leaseMs, since: clock.now() }),
    async condition(holder) {
      if (shownDead(holder, processes)) return 'dead';
      const seen = (await files.facts(join(folder, holder.writer)))?.changedAt ?? 0;
      return clock.now() - Math.max(seen, holder.since) > holder.leaseMs ? 'silent' : 'holding';
    },
    async bury(holder) {
      if (shownDead(holder, processes)) await files.remove(join(folder, holder.writer));
    },
    async wake() {
      if (timer !== undefined) return;
      tick();
      await beat();
    },
    rest() {
      timer?.dispose();
      timer = undefined;
    },
    async leave() {
      await beats;
      await files.remove(sign);
    },
  };
}
