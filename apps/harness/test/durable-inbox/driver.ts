/** The drivers whose processes are killed, by the name that a command line can carry. */
import { join } from 'node:path';
import type { SessionDriver } from '@deepseek-ai/dsh-session';
import { fileDriver } from '@deepseek-ai/dsh-session-file';
import { sqliteDriver } from '@deepseek-ai/dsh-session-sqlite';

export function driverNamed(name: string, folder: string): SessionDriver {
  if (name === 'file') return fileDriver({ root: folder });
  if (name === 'sqlite') return sqliteDriver({ path: join(folder, 'store.sqlite') });
  throw new Error(`no driver is called ${name}`);
}
