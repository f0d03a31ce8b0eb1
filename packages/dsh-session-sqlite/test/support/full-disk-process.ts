/** Runs one scenario on the disk of a folder: `node full-disk-process.ts FOLDER SCENARIO`. */
import { join } from 'node:path';
import { playOnDisk } from '@dsh-internal/driver-testing';
import { flip } from './medium.ts';
import { stageAt } from './stage.ts';

await playOnDisk((folder) => {
  const stage = stageAt(join(folder, 'store', 'sessions.sqlite'), folder);
  return {
    driver: () => stage.driver({ synchronous: 'full' }),
    crash: () => {
      stage.crash();
    },
    async damage(id, seq) {
      flip(stage, id, seq);
    },
  };
});
