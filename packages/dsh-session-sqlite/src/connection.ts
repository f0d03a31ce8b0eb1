/**
 * One open file, known to be a store of this version.
 * I1. Nothing is changed in a file that is some other database, or of a newer version.
 */
import { existsSync } from 'node:fs';
import Database from 'better-sqlite3';
import { sessionError } from '@deepseek-ai/dsh-session';
import { makePrivateFile } from './private-file.ts';
import { APPLICATION_ID, schema, SCHEMA_VERSION } from './schema.ts';
import { prepareStatements, type Statements } from './statements.ts';

export interface Connection {
  readonly db: Database.Database;
  readonly sql: Statements;
}

/** SQLite sleeps for so long while another process writes, and the event loop with it. */
const BUSY_MS = 5;

/** `undefined` where there is no store, and `create` does not ask for one. */
export function connect(path: string, create: boolean): Connection | undefined {
  if (create) makePrivateFile(path);
  else if (!existsSync(path)) return undefined;
  const db = new Database(path, { fileMustExist: true, timeout: BUSY_MS });
  try {
    if (isEmpty(db, path)) {
      if (!create) {
        db.close();
        return undefined;
      }
      db.pragma('journal_mode = WAL');
      db.transaction(() => {
        if (isEmpty(db, path)) db.exec(schema);
      }).immediate();
    }
    return { db, sql: prepareStatements(db) };
  } catch (error) {
    db.close();
    throw error;
  }
}

function isEmpty(db: Database.Database, path: string): boolean {
  const pragma = (name: string): unknown => db.pragma(name, { simple: true });
  if (pragma('application_id') === APPLICATION_ID) {
    const version = pragma('user_version');
    if (version === SCHEMA_VERSION) return false;
    throw sessionError(
      'INCOMPATIBLE',
      `store not opened: ${path} is of version ${String(version)}, and this package knows ${SCHEMA_VERSION}`,
    );
  }
  const tables = db.prepare<[], number>('SELECT count(*) FROM sqlite_schema').pluck().get();
  if (tables === 0) return true;
  throw sessionError('INCOMPATIBLE', `store not opened: ${path} is a database, but no store of Sessions`);
}
