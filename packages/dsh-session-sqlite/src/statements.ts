/** Every statement of the driver, prepared once per connection. */
import type Database from 'better-sqlite3';

export interface SessionRow {
  readonly id: string;
  readonly header: string;
  readonly crc: number;
  readonly own: number;
  readonly log: number;
  readonly taken_over: string | null;
}
export interface LogRow {
  readonly source: number | null;
  readonly start: number;
}
export interface EventRow {
  readonly seq: number;
  readonly crc: number;
  readonly json: unknown;
}
/** A writer's place with its writer, as far as that is known. */
export interface HolderRow {
  readonly log: number;
  readonly draft: number | null;
  readonly since: number;
  readonly writer: string;
  readonly pid: number | null;
  readonly host: string | null;
  readonly machine: string | null;
  readonly started: string | null;
  readonly lease: number | null;
  readonly seen: number | null;
}
export interface WriterRow {
  readonly id: string;
  readonly pid: number;
  readonly machine: string | null;
  readonly started: string | null;
}
/** A statement that gives rows. */
interface Query<P extends unknown[], R> {
  get(...values: P): R | undefined;
  all(...values: P): R[];
  iterate(...values: P): IterableIterator<R>;
}
/** A statement that changes something. */
interface Command<P extends unknown[]> {
  run(...values: P): { readonly changes: number; readonly lastInsertRowid: number | bigint };
}
function query<P extends unknown[], R>(db: Database.Database, sql: string): Query<P, R> {
  return db.prepare<unknown[], R>(sql);
}
/** A query for one column. */
function value<P extends unknown[], R>(db: Database.Database, sql: string): Query<P, R> {
  return db.prepare<unknown[], R>(sql).pluck();
}
function command<P extends unknown[]>(db: Database.Database, sql: string): Command<P> {
  return db.prepare(sql);
}

type Id = [id: string];
type Log = [log: number];

const KEY = '? << 32 | ?';
/** Takes a log, a seq and the log again. */
const FROM = `key BETWEEN (${KEY}) AND (? << 32 | 4294967295)`;
const SEQ = 'key & 4294967295';
const NUMBER = '(SELECT number FROM session WHERE id = ?)';

function transactionStatements(db: Database.Database) {
  return {
    begin: command<[]>(db, 'BEGIN'),
    beginWriting: command<[]>(db, 'BEGIN IMMEDIATE'),
    commit: command<[]>(db, 'COMMIT'),
    rollback: command<[]>(db, 'ROLLBACK'),
    beginPart: command<[]>(db, 'SAVEPOINT part'),
    endPart: command<[]>(db, 'RELEASE part'),
    undoPart: command<[]>(db, 'ROLLBACK TO part'),
  };
}

function sessionStatements(db: Database.Database) {
  const columns = 'SELECT id, header, crc, own, log, taken_over FROM session';
  return {
    session: query<Id, SessionRow>(db, `${columns} WHERE id = ?`),
    sessionsAfter: query<[after: string, limit: number], SessionRow>(
      db,
      `${columns} WHERE id > ? ORDER BY id LIMIT ?`,
    ),
    childrenAfter: query<[parent: string, after: string, limit: number], SessionRow>(
      db,
      `${columns} WHERE parent = ? AND id > ? ORDER BY id LIMIT ?`,
    ),
    idsAfter: value<[after: string, limit: number], string>(
      db,
      'SELECT id FROM session WHERE id > ? ORDER BY id LIMIT ?',
    ),
    childIdsAfter: value<[parent: string, after: string, limit: number], string>(
      db,
      'SELECT id FROM session WHERE parent = ? AND id > ? ORDER BY id LIMIT ?',
    ),
    putSession: command<
      [id: string, header: string, crc: number, parent: string | null, own: number, log: number]
    >(
      db,
      `INSERT INTO session (id, header, crc, parent, own, log) VALUES (?, ?, ?, ?, ?, ?)
       ON CONFLICT (id) DO UPDATE SET header = excluded.header, crc = excluded.crc, parent = excluded.parent`,
    ),
    moveSession: command<[log: number, id: string]>(db, 'UPDATE session SET log = ? WHERE id = ?'),
    dropSession: command<Id>(db, 'DELETE FROM session WHERE id = ?'),
    setTakenOver: command<[holder: string | null, id: string]>(
      db,
      'UPDATE session SET taken_over = ? WHERE id = ?',
    ),
    summary: value<Id, string>(db, `SELECT text FROM summary WHERE session = ${NUMBER}`),
    putSummary: command<[text: string, id: string]>(
      db,
      'INSERT OR REPLACE INTO summary (text, session) SELECT ?, number FROM session WHERE id = ?',
    ),
    dropSummary: command<Id>(db, `DELETE FROM summary WHERE session = ${NUMBER}`),
  };
}

function logStatements(db: Database.Database) {
  return {
    log: query<Log, LogRow>(db, 'SELECT source, start FROM log WHERE id = ?'),
    addLog: command<[source: number | null, start: number]>(
      db,
      'INSERT INTO log (source, start) VALUES (?, ?)',
    ),
    dropLog: command<Log>(db, 'DELETE FROM log WHERE id = ?'),
    /** How many leading events of the log others refer to. */
    sharedUpTo: value<Log, number | null>(db, 'SELECT max(start) FROM log WHERE source = ?'),
    isNamed: value<[log: number, log: number, log: number], 0 | 1>(
      db,
      `SELECT EXISTS (SELECT 1 FROM session WHERE log = ?)
             OR EXISTS (SELECT 1 FROM place WHERE log = ? OR draft = ?)`,
    ),
    addGarbage: command<Log>(db, 'INSERT OR IGNORE INTO garbage VALUES (?)'),
    dropGarbage: command<Log>(db, 'DELETE FROM garbage WHERE log = ?'),
    garbage: value<[], number>(db, 'SELECT log FROM garbage'),
    dropAside: command<Log>(db, 'DELETE FROM aside WHERE log = ?'),
    setAside: command<[log: number, seq: number, reason: string, bytes: Buffer | null]>(
      db,
      'INSERT INTO aside VALUES (?, ?, ?, ?)',
    ),
  };
}

function eventStatements(db: Database.Database) {
  return {
    lastSeq: value<[log: number, seq: number, log: number], number>(
      db,
      `SELECT ${SEQ} FROM event WHERE ${FROM} ORDER BY key DESC LIMIT 1`,
    ),
    event: query<[log: number, seq: number], EventRow>(
      db,
      `SELECT ${SEQ} AS seq, crc, json FROM event WHERE key = ${KEY}`,
    ),
    eventBytes: value<[log: number, seq: number], Buffer>(
      db,
      `SELECT CAST(json AS BLOB) FROM event WHERE key = ${KEY}`,
    ),
    eventsFrom: query<[log: number, seq: number, log: number], EventRow>(
      db,
      `SELECT ${SEQ} AS seq, crc, json FROM event WHERE ${FROM} ORDER BY key`,
    ),
    addEvent: command<[log: number, seq: number, crc: number, json: string]>(
      db,
      `INSERT INTO event VALUES (${KEY}, ?, ?)`,
    ),
    dropEvents: command<[log: number, seq: number, log: number, limit: number]>(
      db,
      `DELETE FROM event WHERE ${FROM} ORDER BY key DESC LIMIT ?`,
    ),
  };
}

function placeStatements(db: Database.Database) {
  return {
    holder: query<Id, HolderRow>(
      db,
      `SELECT place.log, place.draft, place.since, place.writer, pid, host, machine, started, lease, seen
       FROM place LEFT JOIN writer ON writer.id = place.writer WHERE place.session = ?`,
    ),
    // Not a join: that takes ten times as long, and is done for each part of a batch.
    held: query<[id: string, token: string], { readonly log: number; readonly start: number }>(
      db,
      `SELECT log, coalesce((SELECT start FROM log WHERE id = place.log), 0) AS start
       FROM place WHERE session = ? AND token = ?`,
    ),
    putPlace: command<[id: string, token: string, writer: string, since: number, log: number]>(
      db,
      'INSERT OR REPLACE INTO place VALUES (?, ?, ?, ?, ?, NULL)',
    ),
    movePlace: command<[log: number, id: string]>(db, 'UPDATE place SET log = ? WHERE session = ?'),
    setDraft: command<[draft: number | null, id: string]>(db, 'UPDATE place SET draft = ? WHERE session = ?'),
    dropPlace: query<[id: string, token: string], { readonly log: number; readonly draft: number | null }>(
      db,
      'DELETE FROM place WHERE session = ? AND token = ? RETURNING log, draft',
    ),
    clearPlace: command<Id>(db, 'DELETE FROM place WHERE session = ?'),
    showLife: command<
      [
        id: string,
        pid: number,
        host: string,
        machine: string | null,
        started: string | null,
        lease: number,
        seen: number,
      ]
    >(db, 'INSERT OR REPLACE INTO writer VALUES (?, ?, ?, ?, ?, ?, ?)'),
    writers: query<[], WriterRow>(db, 'SELECT id, pid, machine, started FROM writer'),
    unstoredOf: query<[writer: string], { readonly session: string; readonly token: string }>(
      db,
      `SELECT session, token FROM place
       WHERE writer = ? AND NOT EXISTS (SELECT 1 FROM session WHERE session.id = place.session)`,
    ),
    dropIdleWriter: command<[id: string, writer: string]>(
      db,
      'DELETE FROM writer WHERE id = ? AND NOT EXISTS (SELECT 1 FROM place WHERE writer = ?)',
    ),
  };
}

export interface Statements
  extends
    ReturnType<typeof transactionStatements>,
    ReturnType<typeof sessionStatements>,
    ReturnType<typeof logStatements>,
    ReturnType<typeof eventStatements>,
    ReturnType<typeof placeStatements> {}

export function prepareStatements(db: Database.Database): Statements {
  return {
    ...transactionStatements(db),
    ...sessionStatements(db),
    ...logStatements(db),
    ...eventStatements(db),
    ...placeStatements(db),
  };
}
