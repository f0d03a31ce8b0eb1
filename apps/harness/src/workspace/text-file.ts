/** A text file, read without waiting for a device or a pipe, and written so that nobody ever sees half of it. */
import { randomUUID } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import { mkdir, open, rename, rm, type FileHandle } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

const READ = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** Rejects for what is no file, for one of more than `mostBytes`, and for one that is no text. */
export async function readText(path: string, mostBytes: number): Promise<string> {
  const bytes = await withFile(path, READ, undefined, async (file) => {
    const { size } = await statOf(file);
    if (size > mostBytes) throw new Error(`it has ${size} bytes, and ${mostBytes} are the most`);
    return file.readFile();
  });
  if (bytes.includes(0)) throw new Error('it is no text');
  return bytes.toString('utf8');
}

/** The new text is in place, or the old one is. The folder is made where it does not exist. */
export async function writeText(path: string, text: string): Promise<void> {
  const folder = dirname(path);
  await mkdir(folder, { recursive: true });
  const draft = join(folder, `.${basename(path).slice(0, 100)}.${randomUUID()}.tmp`);
  try {
    const mode = await modeOf(path);
    await withFile(draft, 'wx', mode, async (file) => {
      await file.writeFile(text, 'utf8');
      // The mask of the process took something from the mode.
      if (mode !== undefined) await file.chmod(mode);
      await file.sync();
    });
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

async function modeOf(path: string): Promise<number | undefined> {
  try {
    return await withFile(path, READ, undefined, async (file) => (await statOf(file)).mode & 0o777);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

async function statOf(file: FileHandle): Promise<Stats> {
  const found = await file.stat();
  if (!found.isFile()) throw new Error('it is no file');
  return found;
}

/** Closes it whatever happens. By hand: the oldest Node that we support does not know `await using`. */
async function withFile<T>(
  path: string,
  flags: string | number,
  mode: number | undefined,
  use: (file: FileHandle) => Promise<T>,
): Promise<T> {
  const file = await open(path, flags, mode);
  try {
    return await use(file);
  } finally {
    await file.close();
  }
}
