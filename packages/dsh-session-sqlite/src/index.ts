/** A store driver that keeps all Sessions in one SQLite file: durable, many Sessions per commit, with one writer each. */
import type { SessionDriver } from '@deepseek-ai/dsh-session';
import { createSqliteDriver, type SqliteDriverOptions } from './driver.ts';

export type { SqliteDriverOptions } from './driver.ts';

/**
 * Opens the store in the file `path`. Nothing is read or written before the first call of a method.
 * Dispose of it to give back every place that it holds and to close the file.
 * Throws a `TypeError` for a path that SQLite would not take as it is.
 */
export function sqliteDriver(options: SqliteDriverOptions): SessionDriver {
  return createSqliteDriver(options);
}
