/** What stands under an id, for those who hold no place. Nothing here waits for a writer. */
import { sessionError, type SessionId, type StoredHead, type StoredRecord } from '@deepseek-ai/dsh-session';
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
  try {
    return await loadPlan(files, folder, names);
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    throw sessionError('DAMAGED_LOG', `session ${id}: a file that says where its log is cannot be read`, {
      cause,
    });
  }
}

export async function readHead(medium: Medium, id: SessionId): Promise<StoredHead> {
  const header = await requireHeader(medium, id);
  const plan = await planOf(medium, id);
  const { length } = await measure(medium.files, plan);
  const start: StoredRecord[] = [];
  const own = plan.pieces.filter((piece) => piece.own);
  let left = START_BYTES;
  for await (const records of readPieces(medium.files, own, { from: plan.ownFrom, budget: left })) {
    for (const record of records) {
      left -= record.kind === 'event' ? Buffer.byteLength(record.json) : record.bytes;
      if (left < 0) return { header, length, start };
      start.push(record);
    }
  }
  return { header, length, start };
}

export async function* readStored(
  medium: Medium,
  id: SessionId,
  range: Omit<Range, 'budget'>,
): AsyncGenerator<readonly StoredRecord[]> {
  range.signal?.throwIfAborted();
  await requireHeader(medium, id);
  const plan = await planOf(medium, id);
  yield* readPieces(medium.files, plan.pieces, range);
}
