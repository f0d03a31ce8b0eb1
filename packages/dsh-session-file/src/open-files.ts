/**
 * Keeps the files of held places open, up to a bound.
 * Owns: their handles.
 * I1. A file in use is never closed under its user; beyond the bound the one unused for longest is.
 */
import type { FilePort, OpenFile } from './file-port.ts';

export interface OpenFiles {
  /** Opens the file for writing where it is not open yet, and creates it where it is missing. */
  use<T>(path: string, run: (file: OpenFile) => Promise<T>): Promise<T>;
  /** Closes the file once nobody uses it. */
  drop(path: string): Promise<void>;
}

interface Entry {
  readonly file: Promise<OpenFile>;
  users: number;
  dropped: boolean;
}

export function createOpenFiles(files: FilePort, limit: number): OpenFiles {
  // In the order of last use.
  const entries = new Map<string, Entry>();

  const close = async (path: string, entry: Entry): Promise<void> => {
    if (entries.get(path) === entry) entries.delete(path);
    await (await entry.file).close();
  };
  const trim = async (): Promise<void> => {
    for (const [path, entry] of entries) {
      if (entries.size <= limit) return;
      if (entry.users === 0) await close(path, entry);
    }
  };
  const borrow = (path: string): Entry => {
    const entry = entries.get(path) ?? { file: files.openWrite(path), users: 0, dropped: false };
    entries.delete(path);
    entries.set(path, entry);
    entry.users += 1;
    return entry;
  };

  return {
    async use(path, run) {
      const entry = borrow(path);
      let opened = false;
      try {
        const file = await entry.file;
        opened = true;
        return await run(file);
      } finally {
        entry.users -= 1;
        if (!opened) entries.delete(path);
        else if (entry.dropped && entry.users === 0) await close(path, entry);
        else if (entries.size > limit) await trim();
      }
    },
    async drop(path) {
      const entry = entries.get(path);
      if (entry === undefined) return;
      entry.dropped = true;
      if (entry.users === 0) await close(path, entry);
    },
  };
}
