/**
 * Gives a new Session the leading events of another one by giving the same bytes a second name.
 * I1. The cost grows with the number of files in the source, not with its length (S23).
 * I2. The link stays whole when the source goes: nobody shortens or overwrites a log (plan.ts, I3).
 */
import { join } from 'node:path';
import { sessionError, type SeedPrefix } from '@deepseek-ai/dsh-session';
import { errnoOf, type FilePort } from './file-port.ts';
import { PREFIX } from './layout.ts';
import { offsetOf } from './line-reader.ts';
import { loadPlan, prefixFileAt, prefixText, type Piece, type PrefixFile } from './plan.ts';

/** Codes of media and files that cannot be linked. */
const UNLINKABLE = new Set(['EXDEV', 'EPERM', 'EMLINK', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EACCES']);

const gone = (prefix: SeedPrefix): Error =>
  sessionError('SESSION_NOT_FOUND', `session ${prefix.session} is not stored: nothing was forked from it`);
const short = (prefix: SeedPrefix): Error =>
  sessionError(
    'INVALID_PREFIX',
    `session ${prefix.session} has no ${String(prefix.length)} whole leading events`,
  );

export async function sharePrefix(
  files: FilePort,
  source: string,
  target: string,
  prefix: SeedPrefix,
): Promise<void> {
  const names = await files.names(source);
  if (names === undefined) throw gone(prefix);
  const plan = await loadPlan(files, source, names);
  const list: PrefixFile[] = [];
  for (const piece of plan.pieces) {
    if (piece.from >= prefix.length) break;
    const end = await endIn(files, piece, prefix.length);
    if (end === undefined) throw short(prefix);
    if (end.bytes === 0) continue;
    const file = prefixFileAt(list.length);
    await linkOrCopy(files, piece.path, join(target, file), prefix);
    list.push({ file, bytes: end.bytes, from: piece.from, count: end.seq - piece.from });
  }
  const last = list.at(-1);
  if ((last === undefined ? 0 : last.from + last.count) !== prefix.length) throw short(prefix);
  if (last === undefined) return;
  await files.put(join(target, PREFIX), Buffer.from(prefixText(list)), true);
}

/** Where the wanted events end in this piece; its own end where they go on behind it. */
async function endIn(files: FilePort, piece: Piece, length: number): Promise<Piece['end']> {
  if (piece.end !== undefined && piece.end.seq <= length) return piece.end;
  const file = await files.openRead(piece.path);
  if (file === undefined) return undefined;
  try {
    const size = Math.min(await file.size(), piece.end?.bytes ?? Infinity);
    const end = await offsetOf(file, size, piece.from, length);
    // What a stopped writer left is only in memory of the machine; a promise is made on it from now on.
    await file.sync();
    return end.seq === length ? end : undefined;
  } finally {
    await file.close();
  }
}

async function linkOrCopy(files: FilePort, from: string, to: string, prefix: SeedPrefix): Promise<void> {
  const copy = async (): Promise<void> => {
    try {
      await files.copy(from, to);
    } catch (error) {
      throw errnoOf(error) === 'ENOENT' ? gone(prefix) : error;
    }
    const file = await files.openRead(to);
    await file?.sync();
    await file?.close();
  };
  try {
    if ((await files.link(from, to)) === 'missing') throw gone(prefix);
  } catch (error) {
    if (!UNLINKABLE.has(errnoOf(error) ?? '')) throw error;
    await copy();
  }
}
