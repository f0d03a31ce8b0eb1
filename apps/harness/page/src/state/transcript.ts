/**
 * [pure] A part of one agent's log, as it is loaded: a window that grows at both ends, and lets go of what is farthest
 * away.
 */
import type { PartialAnswer, StreamPiece, TranscriptEntry, TranscriptReply } from '../wire.ts';

export interface Transcript {
  readonly id: string;
  readonly from: number;
  readonly to: number;
  readonly length: number;
  readonly own: number;
  readonly entries: readonly TranscriptEntry[];
  readonly partial?: PartialAnswer | undefined;
}

/** So many records are asked for at once. */
export const pageSize = 100;
/** So many records are kept, and so many entries at most are on the page. */
export const windowSize = 400;

export function transcriptOf(reply: TranscriptReply): Transcript {
  const { id, from, to, length, own, entries, partial } = reply;
  return { id, from, to, length, own, entries, partial };
}

/** Takes in a page that touches the window; another one replaces it. */
export function withPage(old: Transcript, reply: TranscriptReply): Transcript {
  if (reply.id !== old.id) return old;
  const { own, length } = reply;
  if (reply.to === old.from) {
    const entries = [...reply.entries, ...old.entries];
    return cut({ ...old, own, length, from: reply.from, entries }, 'newest');
  }
  if (reply.from === old.to) {
    const entries = [...old.entries, ...reply.entries];
    const partial = reply.to === length ? newer(old.partial, reply.partial) : undefined;
    return cut({ ...old, own, length, to: reply.to, entries, partial }, 'oldest');
  }
  return transcriptOf(reply);
}

export const atEnd = ({ to, length }: Transcript): boolean => to >= length;

/** Which records come next; `undefined` where there are none. */
export function olderQuery({ from }: Transcript): { from: number; limit: number } | undefined {
  if (from <= 0) return undefined;
  const start = Math.max(0, from - pageSize);
  return { from: start, limit: from - start };
}

export function newerQuery({ to, length }: Transcript): { from: number; limit: number } | undefined {
  return to >= length ? undefined : { from: to, limit: pageSize };
}

/** The page around one record. */
export function aroundQuery(seq: number): { from: number; limit: number } {
  return { from: Math.max(0, seq - pageSize / 4), limit: pageSize };
}

/** The log has grown. An answer that was being written is over when its agent is. */
export function grown(old: Transcript, length: number, running: boolean): Transcript {
  if (length === old.length && (running || old.partial === undefined)) return old;
  return { ...old, length, partial: running ? old.partial : undefined };
}

/** Adds pieces of an answer. `missed`: some piece was not seen, and the answer has to be loaded. */
export function withPieces(
  old: Transcript,
  pieces: readonly StreamPiece[],
): { readonly transcript: Transcript; readonly missed: boolean } {
  let partial = old.partial;
  for (const piece of pieces) {
    if (piece.session !== old.id || isBefore(piece, partial)) continue;
    const { turn, step, attempt, part, at, text } = piece;
    const same = partial?.turn === turn && partial.step === step && partial.attempt === attempt;
    const base = same && partial !== undefined ? partial : { turn, step, attempt, text: '', reasoning: '' };
    const have = base[part].length;
    if (at > have) return { transcript: old, missed: true };
    partial = { ...base, [part]: base[part] + text.slice(have - at) };
  }
  return { transcript: partial === old.partial ? old : { ...old, partial }, missed: false };
}

/** The answer that is being written, but for one that the log has already. */
export function shownPartial({ partial, entries }: Transcript): PartialAnswer | undefined {
  if (partial === undefined) return undefined;
  const last = entries.findLast(({ kind }) => kind === 'assistant' || kind === 'turn-start');
  if (last?.kind !== 'assistant') return partial;
  const text = last.blocks.map((block) => (block.kind === 'text' ? block.text : '')).join('');
  return partial.text !== '' && text.startsWith(partial.text) ? undefined : partial;
}

function cut(transcript: Transcript, side: 'newest' | 'oldest'): Transcript {
  const { entries, from, to } = transcript;
  const more = entries.length - windowSize;
  if (more <= 0) return transcript;
  if (side === 'oldest') return { ...transcript, from: from + more, entries: entries.slice(more) };
  return { ...transcript, to: to - more, entries: entries.slice(0, windowSize), partial: undefined };
}

/** What was loaded and what was streamed meet: the later one of two answers, and the longer one of the same. */
function newer(a: PartialAnswer | undefined, b: PartialAnswer | undefined): PartialAnswer | undefined {
  if (a === undefined || b === undefined) return b;
  const order = compare(a, b);
  if (order !== 0) return order > 0 ? a : b;
  const length = (answer: PartialAnswer): number => answer.text.length + answer.reasoning.length;
  return length(a) > length(b) ? a : b;
}

type Place = Pick<PartialAnswer, 'turn' | 'step' | 'attempt'>;

const compare = (a: Place, b: Place): number => a.turn - b.turn || a.step - b.step || a.attempt - b.attempt;

const isBefore = (piece: Place, partial: PartialAnswer | undefined): boolean =>
  partial !== undefined && compare(piece, partial) < 0;
