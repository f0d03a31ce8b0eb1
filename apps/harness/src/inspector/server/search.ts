/**
 * Looks for a text in everything that is stored and live.
 * I1. One call looks for a bounded time and finds a bounded number of places; its cursor says where to go on.
 * I2. Nothing is indexed, so nothing can be out of date. One search runs at a time.
 */
import { SessionError, type SessionStore } from '@deepseek-ai/dsh-session';
import type { SearchHit, SearchReply, TranscriptEntry, TreeNode } from '../protocol.ts';
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
  const late = (): boolean => now() > until;
  const hits: SearchHit[] = [];
  const start = placeOf(cursor);
  const first = Math.max(0, order.indexOf(start.id));
  for (const [at, id] of order.slice(first).entries()) {
    const node = nodes.get(id);
    if (node === undefined) continue;
    const from = id === start.id ? start.seq : 0;
    if (from === 0) hits.push(...namesOf(node, wanted));
    const part = await hitsIn(sessions, node, { wanted, from, late }, signal);
    hits.push(...part.hits);
    if (part.next !== undefined) return { hits, next: cursorOf(id, part.next) };
    const following = order[first + at + 1];
    if (following !== undefined && (hits.length >= mostHits || late()))
      return { hits, next: cursorOf(following, 0) };
  }
  return { hits };
}

/** Where a search goes on: at a record of a Session. */
const cursorOf = (id: string, seq: number): string => `${seq}:${id}`;

function placeOf(cursor = ''): { readonly id: string; readonly seq: number } {
  const colon = cursor.indexOf(':');
  const seq = Number(cursor.slice(0, Math.max(0, colon)));
  return { id: cursor.slice(colon + 1), seq: Number.isSafeInteger(seq) && seq > 0 ? seq : 0 };
}

function namesOf({ id, label }: Pick<TreeNode, 'id' | 'label'>, wanted: string): readonly SearchHit[] {
  return [label, id].flatMap((text) => {
    const match = excerptOf(text, wanted);
    return match === undefined ? [] : { session: id, kind: 'label', ...match };
  });
}

interface Part {
  readonly hits: readonly SearchHit[];
  /** The time was over before this record. */
  readonly next?: number;
}

async function hitsIn(
  sessions: SearchDeps['sessions'],
  { id, length }: Pick<TreeNode, 'id' | 'length'>,
  { wanted, from, late }: { readonly wanted: string; readonly from: number; readonly late: () => boolean },
  signal: AbortSignal,
): Promise<Part> {
  const hits: SearchHit[] = [];
  if (length === 0) return { hits };
  try {
    const records = sessions.read(id as Parameters<SessionStore['read']>[0], { from, signal });
    for await (const record of records) {
      const entry = transcriptEntry(record, { own: 0, labelOf: () => undefined });
      const match = firstMatch(entry, wanted);
      if (match !== undefined) hits.push({ session: id, ...placed(entry), ...match });
      if (hits.length >= mostHitsOfOne) return { hits };
      if (late() && entry.seq !== undefined) return { hits, next: entry.seq + 1 };
    }
  } catch (error) {
    // What cannot be read, or is gone meanwhile, holds nothing that can be found.
    if (signal.aborted || !SessionError.is(error)) throw error;
  }
  return { hits };
}

function placed(entry: TranscriptEntry): Pick<SearchHit, 'seq' | 'time' | 'kind'> {
  const { seq, time } = entry;
  // Whose message it is counts, not that it is one.
  const kind = entry.kind === 'message' ? entry.sender.kind : entry.kind;
  return { kind, ...(seq === undefined ? {} : { seq }), ...(time === undefined ? {} : { time }) };
}

function firstMatch(entry: TranscriptEntry, wanted: string): ReturnType<typeof excerptOf> {
  for (const text of textsOf(entry)) {
    const match = excerptOf(text, wanted);
    if (match !== undefined) return match;
  }
  return undefined;
}
