/**
 * What stands in the store, in the order of the ids.
 * I1. One entry never fails the listing: what cannot be read is a problem in its place (S18).
 * I2. Nothing is looked at but the rows that are told, a page of them per view.
 */
import type { SessionId, StoredEntry } from '@deepseek-ai/dsh-session';
import { headerProblem } from './reading.ts';
import { isDamage } from './records.ts';
import type { SessionRow, Statements } from './statements.ts';
import type { Transactions } from './transactions.ts';

const PAGE = 256;

interface Query {
  readonly parent?: SessionId;
  readonly after?: string;
  readonly signal?: AbortSignal | undefined;
}

export async function* listEntries(
  transactions: Transactions,
  { parent, after = '', signal }: Query,
): AsyncGenerator<StoredEntry> {
  for (let last: string | undefined = after; last !== undefined;) {
    const from: string = last;
    const page = await transactions.read((sql) => pageOf(sql, parent, from), signal);
    for (const entry of page ?? []) {
      signal?.throwIfAborted();
      yield entry;
    }
    last = page?.length === PAGE ? page.at(-1)?.cursor : undefined;
  }
}

function pageOf(sql: Statements, parent: SessionId | undefined, after: string): readonly StoredEntry[] {
  try {
    const rows =
      parent === undefined ? sql.sessionsAfter.all(after, PAGE) : sql.childrenAfter.all(parent, after, PAGE);
    return rows.map(entryOf);
  } catch (error) {
    if (!isDamage(error)) throw error;
  }
  // The ids stand in the indexes too, so that a broken page of the table hides no others.
  const ids =
    parent === undefined ? sql.idsAfter.all(after, PAGE) : sql.childIdsAfter.all(parent, after, PAGE);
  return ids.map((id) => findEntry(sql, id));
}

function findEntry(sql: Statements, id: string): StoredEntry {
  try {
    const row = sql.session.get(id);
    if (row !== undefined) return entryOf(row);
  } catch (error) {
    if (!isDamage(error)) throw error;
  }
  return problem(id, 'its row in the file cannot be read');
}

function entryOf(row: SessionRow): StoredEntry {
  const message = headerProblem(row);
  if (message !== undefined) return problem(row.id, message);
  return { kind: 'stored', id: row.id as SessionId, header: row.header, cursor: row.id };
}

const problem = (id: string, message: string): StoredEntry => ({
  kind: 'problem',
  id: id as SessionId,
  code: 'INVALID_HEADER',
  message,
  cursor: id,
});
