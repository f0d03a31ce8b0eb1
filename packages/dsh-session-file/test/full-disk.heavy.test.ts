/**
 * The same scenarios twice: on a disk that is really full, where this machine lets a test mount one (else those are
 * shown as skipped), and over the port that fails after so many bytes.
 */
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { canMount, fullDiskScenarios, runOnDisk } from '@dsh-internal/driver-testing';
import { faultyFiles, noFaults } from './support/faulty-files.ts';
import { damageEvent } from './support/medium.ts';
import { openStage } from './support/stage.ts';

const program = fileURLToPath(new URL('support/full-disk-process.ts', import.meta.url));
const names = Object.keys(fullDiskScenarios);

describe.skipIf(!canMount())('a mounted disk that is really full', () => {
  test.each(names)(
    'loses nothing that was durable, and goes on when there is room: %s [S12 S11 S19 S20]',
    (name) => {
      expect(runOnDisk(program, name)).toBeUndefined();
    },
    120_000,
  );
});

describe('a port that fails after so many bytes', () => {
  test.each(names)(
    'loses nothing that was durable, and goes on when there is room: %s [S12 S11 S19 S20]',
    async (name) => {
      const stage = await openStage();
      const faults = noFaults();
      await fullDiskScenarios[name]?.({
        driver: () => stage.driver({ files: faultyFiles(faults) }),
        crash: () => {
          stage.crash();
        },
        damage: (id, seq) => damageEvent(stage, id, seq),
        async fill(left) {
          faults.space = left;
        },
        async free() {
          faults.space = Infinity;
        },
      });
      await stage.dispose();
    },
    120_000,
  );
});
