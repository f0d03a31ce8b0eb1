/**
 * Where the tools may reach: the workspace folder, and in it neither the store nor what others run unasked.
 * I1. What is opened is the real path, after all symbolic links, and it lies inside.
 * I2. A path that does not exist yet counts by its nearest folder that does.
 */
import { lstat, realpath } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';

export interface Bounds {
  /** The workspace folder. */
  readonly root: string;
  /** Folders and files that are closed although they may lie inside, such as the store of the Sessions. */
  readonly closed?: readonly string[];
  /** Files that are not written, such as the config that this program was started with. */
  readonly readOnly?: readonly string[];
}

export type Intent = 'read' | 'write';

/** The real path of `path`, which counts from the root. Rejects with what is wrong in one sentence. */
export async function inside(
  { root, closed = [], readOnly = [] }: Bounds,
  path: string,
  intent: Intent,
): Promise<string> {
  const top = await realpath(root);
  const real = await realPlace(resolve(top, path), path, intent);
  const outside = (): Error => new Error(`${path} is outside the workspace folder`);
  if (!holds(top, real)) throw outside();
  for (const shut of closed)
    if (holds(await realPlace(resolve(top, shut), shut, 'write'), real))
      throw new Error(`${path} is closed to tools`);
  if (intent === 'read') return real;
  const kept = await Promise.all(readOnly.map((file) => realPlace(resolve(top, file), file, 'write')));
  if (isRunUnasked(relative(top, real)) || kept.some((file) => isSame(file, real)))
    throw new Error(`${path} is not written by tools: it decides what others run`);
  return real;
}

async function realPlace(whole: string, path: string, intent: Intent): Promise<string> {
  if (await isThere(whole)) {
    try {
      return await realpath(whole);
    } catch (cause) {
      throw new Error(`${path} is a link that leads nowhere`, { cause });
    }
  }
  const parent = dirname(whole);
  if (intent === 'read') throw new Error(`${path} does not exist`);
  return join(parent === whole ? whole : await realPlace(parent, path, intent), basename(whole));
}

async function isThere(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

function holds(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);
}

/** Some file systems take capital letters for small ones. */
function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

/**
 * Hooks of git are run by the next commit, and a config names code that the next start in its folder loads.
 */
function isRunUnasked(place: string): boolean {
  const parts = place.toLowerCase().split(sep);
  return parts.at(-1) === 'dsh.config.yaml' || parts.includes('.git');
}
