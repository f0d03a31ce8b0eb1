/**
 * The same scenarios twice: on a disk that is really full, where this machine lets a test mount one (else those are
 * shown as skipped), and in a file that SQLite may not make longer.
 */
import { fileURLToPath } from 'node:url';
import type Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { canMount, fullDiskScenarios, runOnDisk } from '@dsh-internal/driver-testing';
import { flip } from './support/medium.ts';
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

describe('a file that cannot grow', () => {
  test.each(names)(
    'loses nothing that was durable, and goes on when there is room: %s [S12 S11 S19 S20]',
    async (name) => {
      const stage = await openStage();
      const open: Database.Database[] = [];
      let room = Infinity;
      const bound = (db: Database.Database): void => {
        if (!db.open) return;
        const pages = Number(db.pragma('page_count', { simple: true }));
        db.pragma(`max_page_count = ${room === Infinity ? 1_000_000 : pages + Math.floor(room / 4096)}`);
      };
      const fill = async (left: number): Promise<void> => {
        room = left;
        open.forEach(bound);
      };
      await fullDiskScenarios[name]?.({
        driver: () =>
          stage.driver({
            onConnect(db) {
              open.push(db);
              bound(db);
            },
          }),
        crash: () => {
          stage.crash();
        },
        async damage(id, seq) {
          flip(stage, id, seq);
        },
        fill,
        free: () => fill(Infinity),
      });
      await stage.dispose();
    },
    120_000,
  );
});
