/**
 * Room for what gives room back: SQLite needs some to delete anything, and a full disk has none.
 * Owns: a file beside the store that holds nothing of worth.
 * I1. It goes away as a whole, and is there again when the disk has room for it. Neither is worth a failure.
 */
import { randomBytes } from 'node:crypto';
import * as fs from 'node:fs';

/** SQLite's index of the WAL takes 32 KiB, and a deletion a few pages. */
const SIZE = 256 * 1024;
const MODE = 0o600;

export interface Reserve {
  /** Makes the file where it is missing. `false` where there is no room for it. */
  keep(): boolean;
  /** Gives up the file. `false` where there is none. */
  spend(): boolean;
}

export function createReserve(path: string): Reserve {
  return {
    keep() {
      try {
        if (!fs.existsSync(path)) make(path);
        return true;
      } catch {
        return false;
      }
    },
    spend() {
      try {
        fs.unlinkSync(path);
        return true;
      } catch {
        return false;
      }
    },
  };
}

function make(path: string): void {
  const fd = fs.openSync(path, 'wx', MODE);
  try {
    fs.fchmodSync(fd, MODE);
    // Random, so that no file system stores it in less room.
    if (fs.writeSync(fd, randomBytes(SIZE)) < SIZE) throw new Error('the disk is full');
  } catch (error) {
    fs.unlinkSync(path);
    throw error;
  } finally {
    fs.closeSync(fd);
  }
}

/** What SQLite says where the disk has no room, for the store or for the files beside it. */
export function isFull(error: unknown): boolean {
  const { code } = error as { readonly code?: unknown };
  return (
    code === 'SQLITE_FULL' ||
    code === 'ENOSPC' ||
    (typeof code === 'string' && code.startsWith('SQLITE_IOERR_SHM'))
  );
}
