/**
 * Lists children and descendants from the store, and what is live and not in it yet (M48).
 * I1. Every place is shown once, so a cycle of parents ends where it would close.
 * I2. The way down is a list and not a recursion: its length is bounded by memory alone.
 * I3. What is no id has no children: a store that is asked for the children of nobody would show those of all.
 */
import {
  parseSessionId,
  type SessionId,
  type SessionListEntry,
  type WaitOptions,
} from '@deepseek-ai/dsh-session';
import type { ChildEntry, DescendantEntry } from '../subagents.ts';
import { childEntry, childrenOf, type ListingDeps } from './entry.ts';

/** Direct children. Throws `INVALID_SESSION_ID`. */
export async function* listChildren(
  deps: ListingDeps,
  parentId: SessionId,
  { signal }: WaitOptions = {},
): AsyncGenerator<ChildEntry> {
  for await (const stored of childrenOf(deps, parseSessionId(parentId), signal)) {
    const entry = await childEntry(deps, parentId, stored, signal);
    if (entry !== undefined) yield entry;
  }
}

interface Place {
  readonly stored: SessionListEntry;
  readonly parentId: SessionId;
  readonly depth: number;
}

/** Everything below, each child before its own children. `depth` is 1 for direct children. Throws `INVALID_SESSION_ID`. */
export async function* listDescendants(
  deps: ListingDeps,
  rootId: SessionId,
  { signal }: WaitOptions = {},
): AsyncGenerator<DescendantEntry> {
  const seen = new Set<SessionId>([rootId]);
  const way = await placesBelow(deps, { id: parseSessionId(rootId), depth: 0 }, signal);
  for (let place = way.pop(); place !== undefined; place = way.pop()) {
    const { stored, parentId, depth } = place;
    if (seen.has(stored.id)) continue;
    seen.add(stored.id);
    const entry = await childEntry(deps, parentId, stored, signal);
    if (entry !== undefined) yield { ...entry, depth };
    // What is damaged, or gone, may have had children that are whole.
    for (const below of await placesBelow(deps, { id: stored.id, depth }, signal)) way.push(below);
  }
}

/** In reverse, so that the first child is the next one to be taken. */
async function placesBelow(
  deps: ListingDeps,
  { id, depth }: { readonly id: SessionId; readonly depth: number },
  signal: AbortSignal | undefined,
): Promise<Place[]> {
  const places: Place[] = [];
  for await (const stored of childrenOf(deps, id, signal)) {
    places.push({ stored, parentId: id, depth: depth + 1 });
  }
  return places.reverse();
}
