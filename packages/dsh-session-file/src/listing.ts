/**
 * What stands in the store, in the order of the folder names.
 * I1. One entry never fails the listing: what is no Session is a problem in its place (S18).
 * I2. Only headers are read.
 */
import type { SessionId, StoredEntry } from '@deepseek-ai/dsh-session';
import { loadHeader } from './header-file.ts';
import { idOfFolderName } from './folder-names.ts';
import type { Medium } from './medium.ts';

/** Entries that are read in one go, before others get their turn. */
const BUNCH = 64;

export async function* listEntries(
  medium: Medium,
  query: { readonly parent?: SessionId; readonly after?: string; readonly signal?: AbortSignal | undefined },
): AsyncGenerator<StoredEntry> {
  const { parent, after, signal } = query;
  signal?.throwIfAborted();
  const { names, first } = await medium.order.behind(after, parent);
  for (let index = first; index < names.length; index += 1) {
    signal?.throwIfAborted();
    if (index % BUNCH === BUNCH - 1) await new Promise<void>((resolve) => setImmediate(resolve));
    const entry = await entryAt(medium, names[index] ?? '', parent);
    if (entry !== undefined) yield entry;
  }
  medium.order.forget();
}

async function entryAt(
  medium: Medium,
  name: string,
  parent: SessionId | undefined,
): Promise<StoredEntry | undefined> {
  const found = await loadHeader(medium, name);
  switch (found.kind) {
    case 'nothing':
      return undefined;
    case 'header':
      if (parent !== undefined && found.parent !== parent) return undefined;
      return { kind: 'stored', id: found.id as SessionId, header: found.text, cursor: name };
    case 'problem': {
      const { kind, code, message } = found;
      return { kind, code, message, id: (idOfFolderName(name) ?? name) as SessionId, cursor: name };
    }
  }
}
