/**
 * Makes the file of a store, and the folders above it, for their owner alone.
 * I1. Modes are set again after the making, since the umask may have taken bits from them.
 * I2. A file that is there is never opened here: closing it would drop the locks that SQLite holds in this process.
 */
import * as fs from 'node:fs';
import { dirname } from 'node:path';

const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;

/** SQLite gives the files beside it the mode of this one. */
export function makePrivateFile(path: string): void {
  const folder = dirname(path);
  makeFolders(folder);
  const fd = unlessExists(() => fs.openSync(path, 'wx', FILE_MODE));
  if (fd === undefined) return;
  fs.fchmodSync(fd, FILE_MODE);
  fs.closeSync(fd);
  syncFolder(folder);
}

function makeFolders(path: string): void {
  if (fs.existsSync(path)) return;
  const above = dirname(path);
  makeFolders(above);
  unlessExists(() => {
    fs.mkdirSync(path, FOLDER_MODE);
    fs.chmodSync(path, FOLDER_MODE);
    syncFolder(above);
  });
}

function unlessExists<T>(make: () => T): T | undefined {
  try {
    return make();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return undefined;
    throw error;
  }
}

function syncFolder(path: string): void {
  // Windows cannot open a folder; its file systems keep names with their own journal.
  if (process.platform === 'win32') return;
  const fd = fs.openSync(path, 'r');
  try {
    fs.fsyncSync(fd);
  } finally {
    fs.closeSync(fd);
  }
}
