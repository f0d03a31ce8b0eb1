/** Runs one scenario on the disk of a folder: `node full-disk-process.ts FOLDER SCENARIO`. */
import { join } from 'node:path';
import { playOnDisk } from '@dsh-internal/driver-testing';
import { damageEvent } from './medium.ts';
import { stageAt } from './stage.ts';

await playOnDisk((folder) => {
  const stage = stageAt(join(folder, 'store'));
  return {
    driver: () => stage.driver(),
    crash: () => {
      stage.crash();
    },
    damage: (id, seq) => damageEvent(stage, id, seq),
  };
});
