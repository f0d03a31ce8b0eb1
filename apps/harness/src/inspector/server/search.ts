/**
 * Looks for a text in everything that is stored and live.
 * I1. One call looks for a bounded time and finds a bounded number of places; its cursor says where to go on.
 * I2. Nothing is indexed, so nothing can be out of date. One search runs at a time.
 */
import { SessionError, type SessionStore } from '@deepseek-ai/dsh-session';
import type { SearchHit, SearchReply, TranscriptEntry } from '../protocol.ts';
import { excerptOf, textsOf } from '../view/search-match.ts';
import { transcriptEntry } from '../view/transcript-entry.ts';
import type { Tree } from '../view/tree.ts';
import { apiFailure } from './api-failure.ts';

export interface SearchDeps {
  readonly sessions: Pick<SessionStore, 'read'>;
  readonly tree: () => Tree;
  readonly now: () => number;
}

const longestMs = 2_000;
const mostHits = 100;
const mostHitsOfOne = 20;

export interface Search {
  find(
    query: { readonly q: string; readonly cursor?: string | undefined },
    signal: AbortSignal,
  ): Promise<SearchReply>;
}

export function createSearch(deps: SearchDeps): Search {
  let busy = false;
  return {
    async find(query, signal) {
      if (busy) throw apiFailure('BUSY', 'Nothing was looked for: another search is under way.');
      busy = true;
      try {
        return await find(deps, query, signal);
      } finally {
        busy = false;
      }
    },
  };
}

async function find(
  { sessions, tree, now }: SearchDeps,
  { q, cursor }: { readonly q: string; readonly cursor?: string | undefined },
  signal: AbortSignal,
): Promise<SearchReply> {
  const { order, nodes } = tree();
  const wanted = q.toLowerCase();
  const until = now() + longestMs;
  const hits: SearchHit[] = [];
  const start = cursor === undefined ? 0 : order.indexOf(cursor) + 1;
  for (const id of order.slice(start)) {
    const node = nodes.get(id);
    if (node === undefined) continue;
    for (const text of [node.label, id]) {
      const match = excerptOf(text, wanted);
      if (match !== undefined) hits.push({ session: id, kind: 'label', ...match });
    }
    for await (const hit of hitsIn(sessions, node, wanted, signal)) {
      hits.push(hit);
      if (now() > until) break;
    }
    if (id !== order.at(-1) && (hits.length >= mostHits || now() > until)) return { hits, next: id };
  }
  return { hits };
}

async function* hitsIn(
  sessions: SearchDeps['sessions'],
  { id, length }: { readonly id: string; readonly length: number },
  wanted: string,
  signal: AbortSignal,
): AsyncGenerator<SearchHit> {
  let found = 0;
  if (length === 0) return;
  try {
    for await (const record of sessions.read(id as Parameters<SessionStore['read']>[0], { signal })) {
      const entry: TranscriptEntry = transcriptEntry(record, { own: 0, labelOf: () => undefined });
      const match = firstMatch(entry, wanted);
      if (match === undefined) continue;
      const { seq, time } = entry;
      // Whose message it is counts, not that it is one.
      const kind = entry.kind === 'message' ? entry.sender.kind : entry.kind;
      yield {
        session: id,
        ...(seq === undefined ? {} : { seq }),
        ...(time === undefined ? {} : { time }),
        kind,
        ...match,
      };
      if ((found += 1) >= mostHitsOfOne) return;
    }
  } catch (error) {
    // What cannot be read, or is gone meanwhile, holds nothing that can be found.
    if (signal.aborted || !SessionError.is(error)) throw error;
  }
}

function firstMatch(entry: TranscriptEntry, wanted: string): ReturnType<typeof excerptOf> {
  for (const text of textsOf(entry)) {
    const match = excerptOf(text, wanted);
    if (match !== undefined) return match;
  }
  return undefined;
}
