/**
 * Which driver keeps the Sessions of a folder. What lies there decides, and what is asked for must fit it; only a new
 * store is made as it is asked for. Nothing is made here.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { OnDiagnostic, SessionDriver } from '@deepseek-ai/dsh-session';
import { fileDriver } from '@deepseek-ai/dsh-session-file';
import { sqliteDriver } from '@deepseek-ai/dsh-session-sqlite';
import { UsageError } from '../run/usage-error.ts';

export const storeDrivers = ['file', 'sqlite'] as const;
export type StoreDriver = (typeof storeDrivers)[number];

/** What each of them makes in the folder first of all. */
const marks = { file: 'sessions', sqlite: 'sessions.sqlite' } as const;

/** Throws a {@link UsageError} where the folder holds something else than what is asked for, or both. */
export function storeDriverOf(root: string, asked: StoreDriver | undefined): StoreDriver {
  const [found, second] = storeDrivers.filter((name) => existsSync(join(root, marks[name])));
  if (second !== undefined)
    throw new UsageError(
      `the store ${root} was not opened: it holds both ${marks.file}/ and ${marks.sqlite}, so move one of them away`,
    );
  if (found !== undefined && asked !== undefined && found !== asked)
    throw new UsageError(
      `the store ${root} was not opened: the ${found} driver has made it, and the ${asked} driver is asked for`,
    );
  return found ?? asked ?? 'file';
}

/** The driver of that folder. `root`: the whole path. */
export function openDriver(
  root: string,
  asked: StoreDriver | undefined,
  onDiagnostic: OnDiagnostic,
): SessionDriver {
  switch (storeDriverOf(root, asked)) {
    case 'file':
      return fileDriver({ root, onDiagnostic });
    case 'sqlite':
      return sqliteDriver({ path: join(root, marks.sqlite), onDiagnostic });
  }
}
