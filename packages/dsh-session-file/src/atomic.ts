/**
 * Small files that are seen whole or not at all.
 * I1. A file gets its name when all of it is written, and durable where that is asked for.
 * I2. A draft that came to nothing is taken away, unless the process dies.
 */
import { dirname, join } from 'node:path';
import type { FilePort } from './file-port.ts';

/** Names of files on their way; whoever lists a folder passes them over. */
export const PASSING = '.tmp-';

export interface Atomic {
  /** Makes a file that must not be there yet. `exists`: another was first. `missing`: the folder is not there. */
  create(path: string, text: string, durable?: boolean): Promise<'linked' | 'exists' | 'missing'>;
  /**
   * Puts a file in the place of whatever has its name. `check` runs when all but that is done; what it throws keeps
   * the old one.
   */
  replace(path: string, text: string, durable?: boolean, check?: () => Promise<void>): Promise<void>;
}

/** `newId` makes names that no other writer uses. */
export function createAtomic(files: FilePort, newId: () => string): Atomic {
  const passing = (path: string): string => join(dirname(path), `${PASSING}${newId()}`);
  return {
    async create(path, text, durable = false) {
      const draft = passing(path);
      try {
        await files.put(draft, Buffer.from(text), durable);
        return await files.link(draft, path);
      } catch (error) {
        if ((error as { code?: unknown }).code === 'ENOENT') return 'missing';
        throw error;
      } finally {
        await files.remove(draft);
      }
    },
    async replace(path, text, durable = false, check) {
      const draft = passing(path);
      try {
        await files.put(draft, Buffer.from(text), durable);
        await check?.();
        await files.rename(draft, path);
      } catch (error) {
        await files.remove(draft);
        throw error;
      }
    },
  };
}
