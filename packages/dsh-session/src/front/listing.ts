/**
 * What stands in the store, one entry after the other (S18).
 * I1. One entry never fails the listing: what cannot be read is a problem in its place.
 * I2. A limit counts what fits the query, and a cursor leads behind exactly what was given.
 */
import { SessionError, sessionError } from '../errors.ts';
import { parseHeader } from '../header-check.ts';
import type { StoredEntry } from '../driver.ts';
import type { ListQuery, SessionListEntry } from '../store.ts';
import type { StoreContext } from './context.ts';

const pageSize = 100;

export async function* list(context: StoreContext, query: ListQuery): AsyncGenerator<SessionListEntry> {
  const { parent, cursor, signal } = query;
  const limit = checkLimit(query.limit);
  if (limit === 0) return;
  let count = 0;
  const stored = context.driver.list({
    signal,
    ...(parent === undefined ? {} : { parent }),
    ...(cursor === undefined ? {} : { after: cursor }),
  });
  for await (const entry of stored) {
    signal?.throwIfAborted();
    const read = readEntry(entry);
    if (!fits(read, query)) continue;
    yield read;
    count += 1;
    if (count === limit) return;
  }
}

export async function listPage(
  context: StoreContext,
  query: ListQuery,
): Promise<{ readonly items: readonly SessionListEntry[]; readonly next?: string }> {
  const limit = checkLimit(query.limit) ?? pageSize;
  const items: SessionListEntry[] = [];
  for await (const entry of list(context, { ...query, limit: limit + 1 })) items.push(entry);
  const page = items.slice(0, limit);
  const last = page.at(-1);
  return items.length > limit && last !== undefined ? { items: page, next: last.cursor } : { items: page };
}

function checkLimit(limit: number | undefined): number | undefined {
  if (limit === undefined || (Number.isSafeInteger(limit) && limit >= 0)) return limit;
  throw sessionError('INVALID_QUERY', `nothing listed: ${limit} is no limit`);
}

function readEntry(entry: StoredEntry): SessionListEntry {
  if (entry.kind === 'problem') return entry;
  const { id, cursor } = entry;
  try {
    return { kind: 'session', id, header: parseHeader(entry.header, id), cursor };
  } catch (error) {
    if (!SessionError.is(error)) throw error;
    return { kind: 'problem', id, code: error.code, message: error.message, cursor };
  }
}

/** Of a problem nobody knows what it belongs to: it is shown where nothing narrower than a parent was asked for. */
function fits(
  entry: SessionListEntry,
  { parent, root, origin }: Pick<ListQuery, 'parent' | 'root' | 'origin'>,
): boolean {
  if (entry.kind === 'problem') return root === undefined && origin === undefined;
  const { header } = entry;
  return (
    (parent === undefined || header.parentSession === parent) &&
    (root === undefined || header.rootSession === root) &&
    (origin === undefined || header.origin === origin)
  );
}
