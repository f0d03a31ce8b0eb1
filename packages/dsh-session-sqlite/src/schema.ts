/**
 * [pure] What is in the file.
 * I1. A log has no name. It is a source log up to `start`, and its own events from there on; neither ever changes.
 * I2. `event.key` is `log << 32 | seq`, so that a log is one stretch of the table's own order.
 * I3. What is in `garbage` is looked at again: it goes where neither a Session, a place nor a log refers to it.
 */

/** "dshs". Tells the file from any other SQLite database. */
export const APPLICATION_ID = 0x64_73_68_73;
/** In `user_version`. */
export const SCHEMA_VERSION = 1;

export const schema = `
CREATE TABLE session (
  number INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  header TEXT NOT NULL,
  crc INTEGER NOT NULL,
  parent TEXT,
  own INTEGER NOT NULL, -- the seq of the first event that is not inherited
  log INTEGER NOT NULL,
  taken_over TEXT -- the dead or silent holder of before, until a later one has written
) STRICT;
CREATE INDEX session_by_parent ON session (parent, id) WHERE parent IS NOT NULL;
CREATE INDEX session_by_log ON session (log);

-- Changes with most batches, so it stands by itself.
CREATE TABLE summary (
  session INTEGER PRIMARY KEY,
  text TEXT NOT NULL
) STRICT;

CREATE TABLE log (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  source INTEGER,
  start INTEGER NOT NULL
) STRICT;
CREATE INDEX log_by_source ON log (source, start) WHERE source IS NOT NULL;

CREATE TABLE event (
  key INTEGER PRIMARY KEY,
  crc INTEGER NOT NULL,
  json TEXT NOT NULL
) STRICT;

CREATE TABLE writer (
  id TEXT PRIMARY KEY,
  pid INTEGER NOT NULL,
  host TEXT NOT NULL,
  machine TEXT,
  started TEXT,
  lease INTEGER NOT NULL,
  seen INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE place (
  session TEXT PRIMARY KEY,
  token TEXT NOT NULL,
  writer TEXT NOT NULL,
  since INTEGER NOT NULL,
  log INTEGER NOT NULL,
  draft INTEGER -- the log that a repair is writing
) STRICT, WITHOUT ROWID;

CREATE TABLE garbage (log INTEGER PRIMARY KEY) STRICT;

CREATE TABLE aside (
  log INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  reason TEXT NOT NULL,
  bytes BLOB,
  PRIMARY KEY (log, seq)
) STRICT, WITHOUT ROWID;

-- For people who look into the file.
CREATE VIEW own_event AS
  SELECT session.id AS session, event.key & 4294967295 AS seq, event.json AS json
  FROM session JOIN event ON event.key BETWEEN session.log << 32 AND session.log << 32 | 4294967295;

PRAGMA application_id = ${String(APPLICATION_ID)};
PRAGMA user_version = ${String(SCHEMA_VERSION)};
`;
