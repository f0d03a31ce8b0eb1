/** [pure] A search over agents and transcripts. */
import type { SearchHit, SearchReply } from '../wire.ts';

export interface Search {
  /** What stands in the field. It filters the tree at once. */
  readonly text: string;
  /** What the transcripts are searched for: the text after a pause. */
  readonly query: string;
  readonly hits: readonly SearchHit[];
  readonly next?: string | undefined;
  /** More is asked for. */
  readonly wanted: boolean;
  readonly problem?: string | undefined;
}

export const noSearch: Search = { text: '', query: '', hits: [], wanted: false };

/** So many hits are shown before a person asks for more. */
const hitsAtOnce = 50;
/** Shorter words are in every text. */
const shortest = 2;
/** The bound of the server. */
const longest = 200;

export const typed = (old: Search, text: string): Search =>
  text === '' ? noSearch : { ...old, text: text.slice(0, longest) };

export function paused(old: Search): Search {
  const query = old.text.trim();
  if (query.length < shortest) return { text: old.text, query: '', hits: [], wanted: false };
  if (query === old.query && old.problem === undefined) return old;
  return { text: old.text, query, hits: [], wanted: true };
}

export const more = (old: Search): Search => (old.next === undefined ? old : { ...old, wanted: true });

export function searchPath({ query, next, wanted }: Search): string | undefined {
  if (!wanted || query === '') return undefined;
  const cursor = next === undefined ? '' : `&cursor=${encodeURIComponent(next)}`;
  return `/api/search?q=${encodeURIComponent(query)}${cursor}`;
}

/** Goes on by itself until there is something to look at. */
export function found(old: Search, path: string, { hits, next }: SearchReply): Search {
  if (searchPath(old) !== path) return old;
  const all = [...old.hits, ...hits];
  const enough = Math.floor(all.length / hitsAtOnce) > Math.floor(old.hits.length / hitsAtOnce);
  return { ...old, hits: all, next, wanted: next !== undefined && !enough, problem: undefined };
}

export const failed = (old: Search, path: string, problem: string): Search =>
  searchPath(old) === path ? { ...old, wanted: false, problem } : old;
