/** [pure] Which records of a log are shown. */
import type { TranscriptEntry } from '../wire.ts';

export interface TranscriptItem {
  readonly key: string;
  readonly entry: TranscriptEntry;
}

/** What people and agents said and did; with `all`, what the program wrote for itself too. */
export function transcriptItems(
  entries: readonly TranscriptEntry[],
  all: boolean,
): readonly TranscriptItem[] {
  const items: TranscriptItem[] = [];
  let last = '';
  let without = 0;
  for (const entry of entries) {
    // A damaged range may have no place of its own: it is counted from the record before it.
    without = entry.seq === undefined ? without + 1 : 0;
    if (entry.seq !== undefined) last = String(entry.seq);
    if (all || !isSilent(entry)) items.push({ key: without === 0 ? last : `${last}+${without}`, entry });
  }
  return items;
}

const isSilent = (entry: TranscriptEntry): boolean =>
  entry.kind === 'record' || (entry.kind === 'turn-end' && entry.reason === 'completed');
