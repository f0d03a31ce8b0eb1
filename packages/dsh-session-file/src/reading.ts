/**
 * What stands under an id, for those who hold no place.
 * I1. Nothing here waits for a writer, and no file is changed.
 * I2. A header that is none hides no records (S16).
 */
import { SessionError, type SessionId, type StoredHead, type StoredRecord } from '@deepseek-ai/dsh-session';
import { keptSummary } from './epoch-record.ts';
import { loadPlan, type Plan } from './plan.ts';
import { readPieces, type Range } from './records.ts';
import { measure } from './sealing.ts';
import { notFound, requireHeader } from './taking.ts';
import type { Medium } from './medium.ts';

/** Of the own records, so many bytes are in a head. */
const START_BYTES = 64 * 1024;

async function planOf(medium: Medium, id: SessionId): Promise<Plan> {
  const { files, layout } = medium;
  const folder = layout.folder(id);
  const names = await files.names(folder);
  if (names === undefined) throw notFound(id);
  return loadPlan(files, folder, names);
}

export async function readHead(medium: Medium, id: SessionId, startBytes = START_BYTES): Promise<StoredHead> {
  const header = await requireHeader(medium, id);
  const plan = await planOf(medium, id);
  const { length } = await measure(medium.files, plan);
  const start = startBytes > 0 ? await readStart(medium, plan, Math.min(startBytes, START_BYTES)) : [];
  const summary = await summaryOf(medium, id);
  return summary === undefined ? { header, length, start } : { header, length, start, summary };
}

async function summaryOf({ files, epochs, layout }: Medium, id: SessionId): Promise<string | undefined> {
  const folder = layout.folder(id);
  const holder = await epochs.newest(folder, (await files.names(folder)) ?? []);
  return holder === undefined ? undefined : keptSummary(files, folder, holder);
}

async function readStart(medium: Medium, plan: Plan, most: number): Promise<readonly StoredRecord[]> {
  const start: StoredRecord[] = [];
  const own = plan.pieces.filter((piece) => piece.own);
  let left = most;
  for await (const records of readPieces(medium.files, own, { from: plan.ownFrom, budget: left })) {
    for (const record of records) {
      left -= record.kind === 'event' ? Buffer.byteLength(record.json) : record.bytes;
      if (left < 0) return start;
      start.push(record);
    }
  }
  return start;
}

/** A header that is none does not keep the records from being read, where they can be there. */
async function requireRecords(medium: Medium, id: SessionId): Promise<void> {
  try {
    await requireHeader(medium, id);
  } catch (error) {
    if (!SessionError.is(error) || error.code !== 'INVALID_HEADER') throw error;
    if ((await medium.files.facts(medium.layout.folder(id)))?.kind !== 'folder') throw error;
  }
}

export async function* readStored(
  medium: Medium,
  id: SessionId,
  range: Omit<Range, 'budget'>,
): AsyncGenerator<readonly StoredRecord[]> {
  range.signal?.throwIfAborted();
  await requireRecords(medium, id);
  const plan = await planOf(medium, id);
  yield* readPieces(medium.files, plan.pieces, range);
}
