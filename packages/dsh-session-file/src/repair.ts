/**
 * Writes the log anew without what is damaged.
 * I1. Old files stay as they are until `start.json` points to the new one; that is the one step that counts. A holder
 *     that was overtaken cannot take it: its successor removes the draft of that file before it looks what is there.
 * I2. What is kept keeps its seq. What is missing below it gets a substitute, so that the log has no gap.
 * I3. No byte that a fork shares changes: old files lose a name here, never their content.
 */
import { join } from 'node:path';
import type { StoredEvent } from '@deepseek-ai/dsh-session';
import { fileLines } from './file-lines.ts';
import type { FilePort, OpenFile } from './file-port.ts';
import { ASIDE, isRepaired, PREFIX, repairedName, START } from './layout.ts';
import { decodeLine, encodeLines } from './lines.ts';
import { loadPlan, type Piece, type Plan, type Start } from './plan.ts';
import { readPieces } from './records.ts';
import type { WritingPoint } from './sealing.ts';
import type { Medium } from './medium.ts';

type Signal = AbortSignal | undefined;
type Substitute = (seq: number) => StoredEvent;

export interface Rewriting {
  readonly substitute: Substitute;
  readonly signal?: Signal;
  /** Rejects `FENCED` where the place is not held any more. */
  readonly check: () => Promise<void>;
}

export async function rewriteLog(
  { files, atomic, newId }: Medium,
  folder: string,
  point: WritingPoint,
  { substitute, signal, check }: Rewriting,
): Promise<WritingPoint> {
  const plan = closed(await loadPlan(files, folder, (await files.names(folder)) ?? []), point);
  const keepsPrefix = await isWhole(
    files,
    plan.pieces.filter((piece) => !piece.own),
    signal,
  );
  const first = keepsPrefix ? plan.ownFrom : 0;
  const segment = point.segment + 1;
  const aside = join(folder, ASIDE);
  await files.makeFolder(aside);
  const name = repairedName(newId());
  const paths = { log: join(folder, name), aside: join(aside, `damaged-${segment}`) };
  const copy = await createCopy(files, paths, first, substitute);
  try {
    for (const piece of plan.pieces)
      if (piece.own || !keepsPrefix) await copyPiece(files, copy, piece, signal);
    await copy.sync();
  } finally {
    await copy.close();
  }
  await Promise.all([files.syncFolder(aside), files.syncFolder(folder)]);
  const { bytes, length } = copy.end();
  const start: Start = { segment, seq: first, prefix: keepsPrefix, repaired: { file: name, bytes, length } };
  await atomic.replace(join(folder, START), JSON.stringify(start), true, check);
  // From here on the new file is the log, whatever fails: its name is durable with the first batch behind it.
  await forget(files, folder, plan, start).catch(() => undefined);
  return { segment, bytes: 0, length };
}

/** The plan with the known end of its last segment. */
function closed(plan: Plan, { bytes, length }: WritingPoint): Plan {
  return {
    ...plan,
    pieces: plan.pieces.map((piece) =>
      piece.end === undefined ? { ...piece, end: { bytes, seq: length } } : piece,
    ),
  };
}

async function isWhole(files: FilePort, pieces: readonly Piece[], signal: Signal): Promise<boolean> {
  for await (const records of readPieces(files, pieces, { from: 0, signal })) {
    if (records.some((record) => record.kind === 'damaged')) return false;
  }
  return true;
}

interface Copy {
  line(text: Buffer): void;
  flush(): Promise<void>;
  sync(): Promise<void>;
  /** How many bytes were written, and the seq of the next event. */
  end(): { readonly bytes: number; readonly length: number };
  close(): Promise<void>;
}

async function createCopy(
  files: FilePort,
  paths: { readonly log: string; readonly aside: string },
  first: number,
  substitute: Substitute,
): Promise<Copy> {
  // What a repair that did not come to its end left.
  for (const path of Object.values(paths)) await files.remove(path);
  const log = createTail(await files.openWrite(paths.log));
  const aside = createTail(await files.openWrite(paths.aside));
  const newline = Buffer.from('\n');
  let next = first;
  return {
    line(text) {
      const line = decodeLine(text);
      if (line.kind === 'damaged' || line.seq < next) {
        aside.add(text, newline);
        return;
      }
      for (; next < line.seq; next += 1) log.add(encodeLines([substitute(next)]));
      log.add(text, newline);
      next += 1;
    },
    async flush() {
      await log.flush();
      await aside.flush();
    },
    async sync() {
      await Promise.all([log.file.sync(), aside.file.sync()]);
    },
    end: () => ({ bytes: log.length(), length: next }),
    async close() {
      await log.file.close();
      await aside.file.close();
    },
  };
}

function createTail(file: OpenFile) {
  let waiting: Buffer[] = [];
  let at = 0;
  return {
    file,
    add(...bytes: Buffer[]): void {
      waiting.push(...bytes);
    },
    length: () => at,
    async flush(): Promise<void> {
      const bytes = Buffer.concat(waiting);
      waiting = [];
      await file.write(bytes, at);
      at += bytes.length;
    },
  };
}

async function copyPiece(files: FilePort, copy: Copy, piece: Piece, signal: Signal): Promise<void> {
  const file = await files.openRead(piece.path);
  if (file === undefined) return;
  try {
    const size = Math.min(await file.size(), piece.end?.bytes ?? 0);
    for await (const lines of fileLines(file, 0, size, signal)) {
      for (const line of lines) copy.line(line);
      await copy.flush();
    }
  } finally {
    await file.close();
  }
}

/** What is no longer read. A name that stays does no harm. */
async function forget(files: FilePort, folder: string, plan: Plan, start: Start): Promise<void> {
  await files.syncFolder(folder);
  if (!start.prefix) await files.remove(join(folder, PREFIX));
  for (const piece of plan.pieces) if (piece.own || !start.prefix) await files.remove(piece.path);
  for (const name of (await files.names(folder)) ?? [])
    if (isRepaired(name) && name !== start.repaired?.file) await files.remove(join(folder, name));
}
